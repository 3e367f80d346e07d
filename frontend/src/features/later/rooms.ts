import { matchPath } from 'react-router-dom';
import { paths, patterns } from '~/domain/navigation/paths';

export interface Room {
  title: string;
  text: string;
  works: { label: string; to: (organizationId: string) => string };
}

type RoomName = Exclude<keyof typeof patterns, 'home'>;

const connections = { label: 'Go to connections', to: (organizationId: string) => paths.connections(organizationId) };
const wizard = { label: 'Create a connection', to: (organizationId: string) => paths.createConnection(organizationId) };

const CONVERSIONS =
  'Here you will send purchases and leads back to the ad platforms, and see which of them were accepted. This version loads ad data into a warehouse only.';
const PAYMENTS = 'Here revenue from a payment provider will join your ad data. This version loads ad data only.';

/** Rooms that are announced and not built yet: what each will hold, and what works meanwhile. */
const rooms: Partial<Record<RoomName, Room>> = {
  demo: {
    title: 'Demo',
    text: 'Here will be a tour of a finished organization on sample data, to look at and not to change. Until then you can connect the sample provider of a demo instance yourself.',
    works: { label: 'Go to your organizations', to: paths.organizations },
  },
  testBench: {
    title: 'Test bench',
    text: 'Here you will check source and destination, fetch a sample and read the exact requests, without writing anything. Until then the last step of a new connection shows its first rows.',
    works: wizard,
  },
  createConversion: { title: 'Create conversion', text: CONVERSIONS, works: connections },
  conversions: { title: 'Conversions', text: CONVERSIONS, works: connections },
  conversion: { title: 'Conversion', text: CONVERSIONS, works: connections },
  payments: { title: 'Payments', text: PAYMENTS, works: connections },
  payment: { title: 'Payment', text: PAYMENTS, works: connections },
  alerts: {
    title: 'Alerts',
    text: 'Here you will find what went wrong and what recovered, and choose who is told. Until then every connection shows its health and the one thing to do.',
    works: connections,
  },
};

/** The room an address leads to; null for what is no announced room. */
export function roomOf(pathname: string): Room | null {
  const found = (Object.keys(rooms) as RoomName[]).find((name) => matchPath(patterns[name], pathname) !== null);
  return (found && rooms[found]) ?? null;
}
