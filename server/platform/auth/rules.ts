/** Permissions and passwords. */

/** What is said where a permission is missing. */
export const permissionFaults = { dispatch: '您没有布置作业的权限', correct: '您没有批改权限' } as const;

/** 6 to 18 characters with two of digits, lower case, upper case; undefined when it is fit. */
export function passwordFault(password: string): string | undefined {
  const kinds = [/\d/, /[a-z]/, /[A-Z]/].filter((kind) => kind.test(password)).length;
  const fit = password.length >= 6 && password.length <= 18 && kinds >= 2;
  return fit ? undefined : '密码为6到18位，且至少包含数字、小写字母、大写字母中的两种';
}
