/** As what somebody of the staff signs in: a lecturer, a teaching assistant, or an administrator of the school. */
export const identities = ['teacher', 'assist', 'admin'] as const;
export type Identity = (typeof identities)[number];

/** What lecturers and assistants may be permitted. */
export const teachingPermissions = ['dispatch', 'correct'] as const;
/** What an administrator looks after; all of it by default. */
export const administrationPermissions = ['people', 'teaching', 'exams', 'settings', 'audit'] as const;

export const permissions = [...teachingPermissions, ...administrationPermissions] as const;
export type Permission = (typeof permissions)[number];

/** Which permissions there are for whom. */
export const permissionsFor = (identity: Identity): readonly Permission[] =>
  identity === 'admin' ? administrationPermissions : teachingPermissions;

/** Of whom a school asks a second factor. */
export const secondFactorRules = ['none', 'admin', 'all'] as const;
export type SecondFactorRule = (typeof secondFactorRules)[number];
