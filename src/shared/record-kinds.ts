// The kinds of records: plain facts that the screens, the contract and the server share. What the server does with
// each kind is declared in the folder of its feature, and listed in server/records/kinds.ts.

type Facts = {
  /** The word for it in the activity log, if that is not its own name. */
  loggedAs?: 'report' | 'user';
  /** Whether a person's name in it can be erased. */
  isErasable?: true;
  /** Whether it is destroyed after a retention period. */
  isDestroyed?: true;
  /** Whether an audit can be created from it. */
  isSource?: true;
  /** What an investigation that covers it calls it. */
  coveredAs?: string;
  /** Whether reviewers of other parks read neither entries of the log about it nor its deletion. */
  ofItsPark?: true;
  /** Whether the activity log has its title, which may name a person; of others it has numbers. */
  isTitleLogged?: true;
  /** Whether uploads are attached to it. Those of an audit may also belong to one of its notes. */
  hasUploads?: true;
};

/** Lists of kinds are in this order. */
export const recordKinds = {
  report: { hasUploads: true, isErasable: true, isDestroyed: true, isSource: true, coveredAs: 'Report' },
  submission: { hasUploads: true, isErasable: true, isDestroyed: true, isSource: true },
  audit: {
    hasUploads: true,
    isErasable: true,
    isDestroyed: true,
    isSource: true,
    coveredAs: 'Audit',
    ofItsPark: true,
    isTitleLogged: true,
  },
  folder: { hasUploads: true, isErasable: true, isDestroyed: true, ofItsPark: true, isTitleLogged: true },
  checklist: {},
  schedule: { ofItsPark: true },
  check: { isErasable: true, ofItsPark: true },
  investigation: { hasUploads: true, isErasable: true, isDestroyed: true, isSource: true },
  lesson: { hasUploads: true, isErasable: true, isSource: true, isTitleLogged: true },
  message: {
    hasUploads: true,
    isErasable: true,
    isDestroyed: true,
    isSource: true,
    coveredAs: 'Message',
    ofItsPark: true,
  },
  place: { ofItsPark: true },
  pack: {},
  device: { ofItsPark: true },
  user: { isDestroyed: true },
  accessRequest: { isDestroyed: true, loggedAs: 'user' },
  hold: { isErasable: true, isDestroyed: true, loggedAs: 'report' },
} as const satisfies Record<string, Facts>;

type Kinds = typeof recordKinds;
export type RecordKindName = keyof Kinds;

export type KindWith<F extends keyof Facts> = {
  [K in RecordKindName]: F extends keyof Kinds[K] ? K : never;
}[RecordKindName];

/** Lists them, for schemas and menus. */
export const listKindsWith = <F extends keyof Facts>(fact: F) =>
  (Object.keys(recordKinds) as RecordKindName[]).filter((name) => fact in recordKinds[name]) as [
    KindWith<F>,
    ...KindWith<F>[],
  ];

/** What the activity log calls this kind of record. */
export const getLogWord = (name: RecordKindName): LogWord => {
  const { loggedAs }: Facts = recordKinds[name];
  return loggedAs ?? (name as LogWord);
};

/** What entries of the activity log are about: kinds of records, sessions, and parks with their settings. */
export type LogWord = Exclude<RecordKindName, KindWith<'loggedAs'>> | 'session' | 'park';
export const logWords = [
  ...new Set<LogWord>(['session', 'park', ...(Object.keys(recordKinds) as RecordKindName[]).map(getLogWord)]),
];

/** The address of a record's screen, by its id. */
export const recordUrls = {
  report: (id: string) => `/get-reports?report=${id}`,
  submission: (id: string) => `/admin?tab=submissions&submission=${id}`,
  audit: (id: string) => `/audit/${id}`,
  folder: (id: string) => `/audit-folders/${id}`,
  investigation: (id: string) => `/investigations/${id}`,
  lesson: (id: string) => `/lessons/${id}`,
  message: (id: string) => `/messages/${id}`,
  place: (id: string) => `/places/${id}`,
  accessRequest: (id: string) => `/admin/records?tab=access&request=${id}`,
  ...{ checklist: undefined, schedule: undefined, check: undefined, pack: undefined, device: undefined },
  ...{ user: undefined, hold: undefined },
} satisfies Record<RecordKindName, ((id: string) => string) | undefined>;
