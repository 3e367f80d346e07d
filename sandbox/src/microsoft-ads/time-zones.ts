/** The zones of the sandbox's accounts: their names in each of Microsoft's services and their IANA names. */
interface Zone {
  /** IANA name. */
  name: string;
  /** Name in ReportTimeZone if it differs from the account's TimeZone, as for four of the 75. */
  reportName?: string;
  /** Label in the header of a report. */
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

/** Undefined for a name that the Reporting service does not have, such as one used only by Customer Management. */
export function reportZoneLabel(reportTimeZone: string): string | undefined {
  return byReportName.get(reportTimeZone)?.label;
}
