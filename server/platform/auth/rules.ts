/** Staff identities: lecturer, teaching assistant, administrator. */
export const identities = ['teacher', 'assist', 'admin'] as const;
export type Identity = (typeof identities)[number];

/** Permissions of lecturers and assistants. */
export const teachingPermissions = ['dispatch', 'correct'] as const;
/** Permissions of administrators; all by default. */
export const administrationPermissions = ['people', 'teaching', 'exams', 'settings', 'audit'] as const;

export const permissions = [...teachingPermissions, ...administrationPermissions] as const;
export type Permission = (typeof permissions)[number];

export const permissionsFor = (identity: Identity): readonly Permission[] =>
  identity === 'admin' ? administrationPermissions : teachingPermissions;

/** Groups that a school can require to use a second factor. */
export const secondFactorRules = ['none', 'admin', 'all'] as const;
export type SecondFactorRule = (typeof secondFactorRules)[number];
