/** Who may use what at all. */

/** What is said where a permission is missing. */
export const permissionFaults = { dispatch: '您没有布置作业的权限', correct: '您没有批改权限' } as const;

export const accessMessages = {
  identity: '当前身份无权访问',
  /** Of the learners' own application. */
  token: '应用令牌无效',
  /** While more people sign in or change their password than can be looked at. */
  crowded: '操作人数较多，请稍后再试',
} as const;
