/** What people write of themselves. */

export const introductionMost = 200;

export const nameMost = 50;

/** Endings of pictures that an avatar may be made of. */
export const avatarExtensions = ['gif', 'jpeg', 'jpg', 'png'] as const;

export const avatarMessage = `头像支持 ${avatarExtensions.join('、')} 格式的图片`;

export const passwordRule = '密码为6到18位，且至少包含数字、小写字母、大写字母中的两种';

/** 6 to 18 characters with two of digits, lower case, upper case; undefined when it is fit. */
export function passwordFault(password: string): string | undefined {
  const kinds = [/\d/, /[a-z]/, /[A-Z]/].filter((kind) => kind.test(password)).length;
  const fit = password.length >= 6 && password.length <= 18 && kinds >= 2;
  return fit ? undefined : passwordRule;
}
