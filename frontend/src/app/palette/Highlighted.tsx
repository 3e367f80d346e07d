/** The text, with the first occurrence of the query in bold. */
export function Highlighted({ text, query }: { text: string; query: string }) {
  const searched = query.trim().toLowerCase();
  const at = searched === '' ? -1 : text.toLowerCase().indexOf(searched);
  if (at < 0) return <>{text}</>;
  const end = at + searched.length;
  return (
    <>
      {text.slice(0, at)}
      <strong>{text.slice(at, end)}</strong>
      {text.slice(end)}
    </>
  );
}
