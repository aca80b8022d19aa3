/**
 * Files and columns of OneRoster 1.2 (CSV binding 1.2.1), in the standard's order. Notation of a column: `!` at the end
 * means required, `>` names the file that it refers to, `…` marks a list, `{}` encloses the allowed words, and the last
 * word is the type (default: text).
 */
const described = {
  academicSessions: [
    'title!',
    'type! {gradingPeriod semester schoolYear term}',
    'startDate! date',
    'endDate! date',
    'parentSourcedId >academicSessions',
    'schoolYear! year',
  ],
  orgs: ['name!', 'type! {department school district local state national}', 'identifier', 'parentSourcedId >orgs'],
  users: [
    'enabledUser! boolean',
    'username!',
    'userIds pairs',
    'givenName!',
    'familyName!',
    'middleName',
    'identifier',
    'email',
    'sms',
    'phone',
    'agentSourcedIds… >users',
    'grades… words',
    'password',
    'userMasterIdentifier',
    'preferredGivenName',
    'preferredMiddleName',
    'preferredFamilyName',
    'primaryOrgSourcedId >orgs',
    'pronouns',
  ],
  userProfiles: [
    'userSourcedId! >users',
    'profileType!',
    'vendorId!',
    'applicationId',
    'description',
    'credentialType!',
    'username!',
    'password',
  ],
  roles: [
    'userSourcedId! >users',
    'roleType! {primary secondary}',
    'role! {aide counselor districtAdministrator guardian parent principal proctor relative siteAdministrator student systemAdministrator teacher}',
    'beginDate date',
    'endDate date',
    'orgSourcedId! >orgs',
    'userProfileSourcedId >userProfiles',
  ],
  courses: [
    'schoolYearSourcedId >academicSessions',
    'title!',
    'courseCode',
    'grades… words',
    'orgSourcedId! >orgs',
    'subjects… words',
    'subjectCodes… words',
  ],
  classes: [
    'title!',
    'grades… words',
    'courseSourcedId! >courses',
    'classCode',
    'classType! {homeroom scheduled}',
    'location',
    'schoolSourcedId! >orgs',
    'termSourcedIds!… >academicSessions',
    'subjects… words',
    'subjectCodes… words',
    'periods… words',
  ],
  enrollments: [
    'classSourcedId! >classes',
    'schoolSourcedId! >orgs',
    'userSourcedId! >users',
    'role! {administrator proctor student teacher}',
    'primary boolean',
    'beginDate date',
    'endDate date',
  ],
  demographics: [
    'birthDate date',
    'sex {male female unspecified other}',
    'americanIndianOrAlaskaNative boolean',
    'asian boolean',
    'blackOrAfricanAmerican boolean',
    'nativeHawaiianOrOtherPacificIslander boolean',
    'white boolean',
    'demographicRaceTwoOrMoreRaces boolean',
    'hispanicOrLatinoEthnicity boolean',
    'countryOfBirthCode',
    'stateOfBirthAbbreviation',
    'cityOfBirth',
    'publicSchoolResidenceStatus',
  ],
  resources: [
    'vendorResourceId!',
    'title',
    'roles… words',
    'importance {primary secondary}',
    'vendorId',
    'applicationId',
  ],
  classResources: ['title', 'classSourcedId! >classes', 'resourceSourcedId! >resources'],
  courseResources: ['title', 'courseSourcedId! >courses', 'resourceSourcedId! >resources'],
  userResources: [
    'userSourcedId! >users',
    'orgSourcedId >orgs',
    'classSourcedId >classes',
    'resourceSourcedId! >resources',
  ],
  categories: ['title!', 'weight number'],
  scoreScales: [
    'title!',
    'type!',
    'orgSourcedId! >orgs',
    'courseSourcedId! >courses',
    'classSourcedId! >classes',
    'scoreScaleValue!… words',
  ],
  lineItems: [
    'title!',
    'description',
    'assignDate! date',
    'dueDate! date',
    'classSourcedId! >classes',
    'categorySourcedId! >categories',
    'academicSessionSourcedId! >academicSessions',
    'resultValueMin number',
    'resultValueMax number',
    'schoolSourcedId! >orgs',
  ],
  lineItemLearningObjectiveIds: ['lineItemSourcedId! >lineItems', 'source! {case unknown}', 'learningObjectiveId!'],
  lineItemScoreScales: ['title', 'lineItemSourcedId! >lineItems', 'scoreScaleSourcedId! >scoreScales'],
  results: [
    'lineItemSourcedId! >lineItems',
    'studentSourcedId! >users',
    'scoreStatus! {exempt|fully graded|not submitted|partially graded|submitted}',
    'score number',
    'scoreDate! date',
    'comment',
    'textScore',
    'classSourcedId >classes',
    'inProgress boolean',
    'incomplete boolean',
    'late boolean',
    'missing boolean',
  ],
  resultLearningObjectiveIds: [
    'resultSourcedId! >results',
    'source! {case unknown}',
    'learningObjectiveId!',
    'score number',
    'textScore',
  ],
  resultScoreScales: ['title', 'resultSourcedId! >results', 'scoreScaleSourcedId! >scoreScales'],
} as const satisfies Record<string, readonly string[]>;

export type FileName = keyof typeof described;

export interface Column {
  name: string;
  type: 'id' | 'text' | 'word' | 'date' | 'moment' | 'year' | 'boolean' | 'number' | 'pairs' | 'words';
  required: boolean;
  words: readonly string[];
  /** File whose records the column refers to. */
  to?: FileName;
  /** True for a comma-separated list. */
  isList: boolean;
}

const isFileName = (word: string): word is FileName => Object.hasOwn(described, word);

function columnOf(text: string): Column {
  const [, name = '', required, list, rest = ''] = /^(\w+)(!)?(…)?\s*(.*)$/.exec(text) ?? [];
  const plain = { name, required: required !== undefined, isList: list !== undefined, words: [] };
  const words = /^\{(.*)\}$/.exec(rest)?.[1];
  if (words !== undefined) return { ...plain, type: 'word', words: words.split(words.includes('|') ? '|' : ' ') };
  const to = rest.slice(1);
  if (rest.startsWith('>') && isFileName(to)) return { ...plain, type: 'id', to };
  return { ...plain, type: types.find((type) => type === rest) ?? 'text' };
}

const types = ['date', 'year', 'boolean', 'number', 'pairs', 'words'] as const;

const ofEveryRecord: readonly Column[] = [
  { name: 'sourcedId', type: 'id', required: true, words: [], isList: false },
  { name: 'status', type: 'word', required: false, words: ['active', 'tobedeleted'], isList: false },
  { name: 'dateLastModified', type: 'moment', required: false, words: [], isList: false },
];

/** Names of all files in the order of dependency: a record refers to records of earlier files or of its own. */
export const fileNames = Object.keys(described) as FileName[];

const columns = new Map(fileNames.map((file) => [file, [...ofEveryRecord, ...described[file].map(columnOf)]]));

export const columnsOf = (file: FileName): readonly Column[] => columns.get(file) ?? ofEveryRecord;

/** A column of users.csv that the edition of 2022 has and 1.2.1 removed. */
export const removedColumn = { name: 'resourceSourcedIds', before: 'preferredGivenName' } as const;

/** Columns that users.csv had before 1.2, when there was no roles.csv. */
export const olderColumns = ['role', 'orgSourcedIds'] as const;

/** Names of all files in the order in which the manifest lists them. */
export const manifestFiles = [...fileNames].sort((one, other) =>
  one.toLowerCase() < other.toLowerCase() ? -1 : 1,
) as readonly FileName[];

/** Maximum length of a OneRoster id, and the characters it may have. */
export const idLimit = 255;
export const isId = (text: string): boolean => text.length <= idLimit && /^[\w.\-/@]+$/.test(text);

/** True for an extension column, which any file may have at its right end. */
export const isExtensionColumn = (name: string): boolean => name.startsWith('metadata.');

/**
 * Extension columns of our own packages, so that we read them back without loss: the full name in one piece, the
 * homeroom of a course class, and head teachers other than the primary one.
 */
export const ownColumns = {
  users: ['metadata.fullName', 'metadata.guardianMobile'],
  classes: ['metadata.homeroom'],
  enrollments: ['metadata.duty'],
} as const satisfies Partial<Record<FileName, readonly string[]>>;

export const ownColumnsOf = (file: FileName): readonly string[] =>
  file === 'users' || file === 'classes' || file === 'enrollments' ? ownColumns[file] : [];

/** Grade codes of the standard, with their Chinese names. */
export const gradeNames: Readonly<Record<string, string>> = {
  KG: '幼儿园',
  '01': '一年级',
  '02': '二年级',
  '03': '三年级',
  '04': '四年级',
  '05': '五年级',
  '06': '六年级',
  '07': '初一',
  '08': '初二',
  '09': '初三',
  '10': '高一',
  '11': '高二',
  '12': '高三',
};

/** Course code for classes without courses, because the standard requires a course. */
export const homeroomCode = 'HOMEROOM';

/** Id of a term for classes without one, because the standard requires a term. */
export const noTerm = 'no-term';
