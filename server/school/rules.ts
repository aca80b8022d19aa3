/** Who may use what at all. */

/** What is said where a permission is missing. */
export const permissionFaults = { dispatch: '您没有布置作业的权限', correct: '您没有批改权限' } as const;

/** Said to who signs in as the one and calls what is the other's. */
export const wrongIdentity = '当前身份无权访问';
