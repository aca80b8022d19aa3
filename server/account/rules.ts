/** What people write of themselves. */

export const introductionMost = 200;

export const nameMost = 50;

/** Endings of pictures that an avatar may be made of. */
export const avatarExtensions = ['gif', 'jpeg', 'jpg', 'png'] as const;

export const avatarMessage = `头像支持 ${avatarExtensions.join('、')} 格式的图片`;
