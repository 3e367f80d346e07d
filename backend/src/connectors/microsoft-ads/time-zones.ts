/**
 * Microsoft's time zone names and their IANA names. If the places of a name have different offsets today, the place with
 * Microsoft's published offset is used (guides/time-zones, November 2026).
 */
const zones: Record<string, string> = {
  AbuDhabiMuscat: 'Asia/Dubai',
  Adelaide: 'Australia/Adelaide',
  Alaska: 'America/Anchorage',
  AlmatyNovosibirsk: 'Asia/Omsk',
  AmsterdamBerlinBernRomeStockholmVienna: 'Europe/Berlin',
  Arizona: 'America/Phoenix',
  AstanaDhaka: 'Asia/Dhaka',
  AthensBuckarestIstanbul: 'Europe/Athens',
  AtlanticTimeCanada: 'America/Halifax',
  AucklandWellington: 'Pacific/Auckland',
  Azores: 'Atlantic/Azores',
  Baghdad: 'Asia/Baghdad',
  BakuTbilisiYerevan: 'Asia/Baku',
  BangkokHanoiJakarta: 'Asia/Bangkok',
  BeijingChongqingHongKongUrumqi: 'Asia/Shanghai',
  BelgradeBratislavaBudapestLjubljanaPrague: 'Europe/Budapest',
  BogotaLimaQuito: 'America/Bogota',
  Brasilia: 'America/Sao_Paulo',
  Brisbane: 'Australia/Brisbane',
  BrusselsCopenhagenMadridParis: 'Europe/Paris',
  Bucharest: 'Europe/Bucharest',
  BuenosAiresGeorgetown: 'America/Argentina/Buenos_Aires',
  Cairo: 'Africa/Cairo',
  CanberraMelbourneSydney: 'Australia/Sydney',
  CapeVerdeIsland: 'Atlantic/Cape_Verde',
  CaracasLaPaz: 'America/Caracas',
  CasablancaMonrovia: 'Africa/Monrovia',
  CentralAmerica: 'America/Guatemala',
  CentralTimeUSCanada: 'America/Chicago',
  ChennaiKolkataMumbaiNewDelhi: 'Asia/Kolkata',
  ChihuahuaLaPazMazatlan: 'America/Mazatlan',
  Darwin: 'Australia/Darwin',
  EasternTimeUSCanada: 'America/New_York',
  Ekaterinburg: 'Asia/Yekaterinburg',
  FijiKamchatkaMarshallIsland: 'Pacific/Fiji',
  // Clocks there have been an hour ahead since 2023, but Microsoft publishes UTC-3.
  Greenland: 'Etc/GMT+3',
  GreenwichMeanTimeDublinEdinburghLisbonLondon: 'Europe/London',
  GuadalajaraMexicoCityMonterrey: 'America/Mexico_City',
  GuamPortMoresby: 'Pacific/Port_Moresby',
  HararePretoria: 'Africa/Harare',
  Hawaii: 'Pacific/Honolulu',
  HelsinkiKyivRigaSofiaTallinnVilnius: 'Europe/Kyiv',
  Hobart: 'Australia/Hobart',
  IndianaEast: 'America/Indiana/Indianapolis',
  InternationalDateLineWest: 'Etc/GMT+12',
  IrkutskUlaanBataar: 'Asia/Irkutsk',
  IslamabadKarachiTashkent: 'Asia/Karachi',
  Jerusalem: 'Asia/Jerusalem',
  Kabul: 'Asia/Kabul',
  Kathmandu: 'Asia/Kathmandu',
  Krasnoyarsk: 'Asia/Krasnoyarsk',
  KualaLumpurSingapore: 'Asia/Singapore',
  KuwaitRiyadh: 'Asia/Riyadh',
  MidAtlantic: 'America/Noronha',
  MidwayIslandAndSamoa: 'Pacific/Pago_Pago',
  MoscowStPetersburgVolgograd: 'Europe/Moscow',
  MountainTimeUSCanada: 'America/Denver',
  Nairobi: 'Africa/Nairobi',
  Newfoundland: 'America/St_Johns',
  Nukualofa: 'Pacific/Tongatapu',
  OsakaSapporoTokyo: 'Asia/Tokyo',
  PacificTimeUSCanadaTijuana: 'America/Los_Angeles',
  Perth: 'Australia/Perth',
  Rangoon: 'Asia/Yangon',
  Santiago: 'America/Santiago',
  SarajevoSkopjeWarsawZagreb: 'Europe/Warsaw',
  Saskatchewan: 'America/Regina',
  Seoul: 'Asia/Seoul',
  SolomonIslandNewCaledonia: 'Pacific/Noumea',
  SriJayawardenepura: 'Asia/Colombo',
  Taipei: 'Asia/Taipei',
  Tehran: 'Asia/Tehran',
  Vladivostok: 'Asia/Vladivostok',
  WestCentralAfrica: 'Africa/Lagos',
  Yakutsk: 'Asia/Yakutsk',
};

/**
 * The Reporting service spells four of the 75 zones differently from Customer Management. Source: `TimeZoneType` and
 * `ReportTimeZone` of BingAds-Python-SDK `0f49dec` (openapi_client/models/customer/time_zone_type.py and
 * reporting/report_time_zone.py), compared name by name; the pages timezonetype and reporttimezone agree.
 */
const reportNames: Record<string, string> = {
  AthensBuckarestIstanbul: 'AthensIslandanbulMinsk',
  IslamabadKarachiTashkent: 'IslandamabadKarachiTashkent',
  MidwayIslandAndSamoa: 'MidwayIslandandSamoa',
  SolomonIslandNewCaledonia: 'MagadanSolomonIslandNewCaledonia',
};

/** Other spellings, from the Reporting service and from the documentation (guides/time-zones, MicrosoftDocs `a21125d`). */
const otherNames: Record<string, string> = {
  ...Object.fromEntries(Object.entries(reportNames).map(([name, reportName]) => [reportName, name])),
  'Newfoundland and Labrador': 'Newfoundland',
  Yangon: 'Rangoon',
};

/** Zones of accounts that were listed by an earlier version. */
const formerZones: [string, string][] = [['America/Nuuk', 'Greenland']];
const microsoftNames = new Map([
  ...Object.entries(zones).map(([microsoft, iana]): [string, string] => [iana, microsoft]),
  ...formerZones,
]);

export const knownZones = Object.keys(zones);

/** The IANA zone of an account; null for an unknown name. There is no fallback to UTC, because its days begin at another hour. */
export function ianaZone(timeZone: string): string | null {
  return zones[otherNames[timeZone] ?? timeZone] ?? null;
}

/** The Reporting service's name for an IANA zone; null for a zone that Microsoft does not have. */
export function reportZone(iana: string): string | null {
  const microsoft = microsoftNames.get(iana);
  return microsoft === undefined ? null : (reportNames[microsoft] ?? microsoft);
}
