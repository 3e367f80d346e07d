/**
 * Microsoft's names of time zones and the IANA names of their calendars. Where a name holds places whose clocks differ by
 * now, the place with the offset that Microsoft publishes stands for it (guides/time-zones, November 2026).
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
  Greenland: 'America/Nuuk',
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
  IslandamabadKarachiTashkent: 'Asia/Tashkent',
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

/** Other spellings of one service or of the documentation. */
const otherNames: Record<string, string> = {
  AthensIslandanbulMinsk: 'AthensBuckarestIstanbul',
  MagadanSolomonIslandNewCaledonia: 'SolomonIslandNewCaledonia',
  MidwayIslandandSamoa: 'MidwayIslandAndSamoa',
  Yangon: 'Rangoon',
};

/** The reporting service spells three zones otherwise than Customer Management does (openapi ReportTimeZone, TimeZoneType). */
const reportNames: Record<string, string> = {
  AthensBuckarestIstanbul: 'AthensIslandanbulMinsk',
  MidwayIslandAndSamoa: 'MidwayIslandandSamoa',
  SolomonIslandNewCaledonia: 'MagadanSolomonIslandNewCaledonia',
};

const microsoftNames = new Map(Object.entries(zones).map(([microsoft, iana]) => [iana, microsoft]));
const FALLBACK = 'GreenwichMeanTimeDublinEdinburghLisbonLondon';

export const knownZones = Object.keys(zones);

/** The calendar of an account. A name that is new here counts as UTC. */
export function ianaZone(timeZone: string): string {
  return zones[otherNames[timeZone] ?? timeZone] ?? 'Etc/UTC';
}

/** What the reporting service calls the zone of an account's calendar. */
export function reportZone(iana: string): string {
  const microsoft = microsoftNames.get(iana) ?? FALLBACK;
  return reportNames[microsoft] ?? microsoft;
}
