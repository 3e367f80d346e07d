import { useTitle } from '~/lib/use-title';
import { LoadedContent } from '~/components/feedback/LoadedContent';
import type { LoadedContentProps } from '~/components/feedback/LoadedContent';
import { Page, PageHeader } from '~/ui/layout/Page';

interface ListPageProps<Data> extends LoadedContentProps<Data> {
  title: string;
  parent?: { label: string; to: string };
  status?: React.ReactNode;
  actions?: React.ReactNode;
  tabs?: React.ReactNode;
}

/** A page with one list: its header, and the list with its states. */
export function ListPage<Data>({ title, parent, status, actions, tabs, ...content }: ListPageProps<Data>) {
  useTitle(title);
  return (
    <Page>
      <PageHeader title={title} parent={parent} status={status} actions={actions} />
      {tabs}
      <LoadedContent refreshError="notice with age" {...content} />
    </Page>
  );
}
