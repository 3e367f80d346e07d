/** The zones of the sandbox's accounts: what each of Microsoft's services calls them, and how the calendar knows them. */
interface Zone {
  /** IANA name. */
  name: string;
  /** In ReportTimeZone, where it differs from the account's TimeZone: four of the seventy-five do. */
  reportName?: string;
  /** As the header of a report writes it. */
  label: string;
}

const zones: Record<string, Zone> = {
  AmsterdamBerlinBernRomeStockholmVienna: {
    name: 'Europe/Berlin',
    label: '(GMT+01:00) Amsterdam, Berlin, Bern, Rome, Stockholm, Vienna',
  },
  EasternTimeUSCanada: { name: 'America/New_York', label: '(GMT-05:00) Eastern Time (US & Canada)' },
  OsakaSapporoTokyo: { name: 'Asia/Tokyo', label: '(GMT+09:00) Osaka, Sapporo, Tokyo' },
  GreenwichMeanTimeDublinEdinburghLisbonLondon: {
    name: 'Europe/London',
    label: '(GMT) Greenwich Mean Time: Dublin, Edinburgh, Lisbon, London',
  },
  IslamabadKarachiTashkent: {
    name: 'Asia/Karachi',
    reportName: 'IslandamabadKarachiTashkent',
    label: '(GMT+05:00) Islamabad, Karachi, Tashkent',
  },
  SolomonIslandNewCaledonia: {
    name: 'Pacific/Noumea',
    reportName: 'MagadanSolomonIslandNewCaledonia',
    label: '(GMT+11:00) Magadan, Solomon Is., New Caledonia',
  },
  PacificTimeUSCanadaTijuana: { name: 'America/Los_Angeles', label: '(GMT-08:00) Pacific Time (US & Canada); Tijuana' },
};

const byReportName = new Map(Object.entries(zones).map(([name, zone]) => [zone.reportName ?? name, zone]));

export function ianaZone(accountTimeZone: string): string {
  return zones[accountTimeZone]?.name ?? 'Etc/UTC';
}

/** Undefined for a name that the reporting service does not know, such as one that only Customer Management uses. */
export function reportZoneLabel(reportTimeZone: string): string | undefined {
  return byReportName.get(reportTimeZone)?.label;
}
