/** Limits and messages of settings and holidays. */

import { serviceAddressMessage } from '#server/school/rules.ts';
import { schoolNameLimit } from '#server/schools/rules.ts';

/** Minimum and maximum of each sign-in and retention setting, in tries, hours or days. */
export const policyLimits = {
  sign_in_tries: { least: 3, most: 50 },
  sign_in_hours: { least: 1, most: 720 },
  // Minimum of half a year, because the law requires sign-in records for so long.
  keep_sign_ins: { least: 180, most: 3650 },
  keep_messages: { least: 1, most: 3650 },
  keep_imports: { least: 14, most: 3650 },
  keep_uploads: { least: 1, most: 30 },
  keep_exports: { least: 1, most: 90 },
  // Minimum of a month, so that nobody loses a recent draft.
  keep_drafts: { least: 30, most: 3650 },
  keep_previews: { least: 1, most: 90 },
} as const;

/**
 * Validates the address of a service that the product calls. Refuses fragments, which would swallow an appended path,
 * and credentials, which are never sent.
 */
export const isServiceAddress = (text: string): boolean =>
  text.length <= 500 && /^https?:\/\/[^/?#{}@\s]+(?:[/?][^#{}\s]*)?$/i.test(text) && URL.canParse(text);

/** Validates the address of a room that the browser opens. Words in braces after the host are placeholders. */
export const isRoomAddress = (text: string): boolean =>
  text.length <= 500 &&
  /^https?:\/\/[^/?#{}@\s]+(?=[/?#]|$)/i.test(text) &&
  URL.canParse(text.replaceAll(/\{\w+\}/g, 'x'));

/** Accounts that may sign in with a password: all, or only one emergency account. */
export const passwordRules = ['all', 'one'] as const;

export type PasswordRule = (typeof passwordRules)[number];

/**
 * Normalises the product's public address to scheme and host; undefined if it is invalid. Plain http is allowed only on
 * this machine, because sign-in data of providers is sent to the address.
 */
export function normalizeSite(text: string): string | undefined {
  const address = text.trim();
  if (address.length > 200 || !/^https?:\/\/[^/?#\s@]+\/?$/i.test(address) || !URL.canParse(address)) return undefined;
  return isPrivateConnection(new URL(address)) ? new URL(address).origin : undefined;
}

/** True if the connection is encrypted or stays on this machine. */
export const isPrivateConnection = ({ protocol, hostname }: { protocol: string; hostname: string }): boolean =>
  protocol === 'https:' || /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);

const internalHost =
  /^(?:10|192\.168|169\.254|172\.(?:1[6-9]|2\d|3[01])|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7]))\.[\d.]+$|^\[f[cde]|^[^.[]+$|\.(?:local|lan|internal|home\.arpa)$/;

export type AddressReaders = 'learners' | 'staff';

/**
 * Why readers elsewhere cannot open an address that is printed for them; undefined if nothing in it says so. Staff are
 * expected in the school's network.
 */
export function printedAddressFault(address: string, readers: AddressReaders): string | undefined {
  const { hostname } = new URL(address);
  if (/^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|\[::1\]|0\.0\.0\.0)$/.test(hostname))
    return `这个地址只有服务器本机能打开，${readers === 'staff' ? '别的电脑' : '学员的手机'}打不开`;
  return readers === 'learners' && internalHost.test(hostname)
    ? '这个地址在内网中，学员不连学校的网络时打不开'
    : undefined;
}

export const settingsMessages = {
  everySchool: '这些设置对全部学校有效，只有管理全部学校的教务可以修改',
  schoolNameLength: `不能超过${schoolNameLimit}个字`,
  timezone: '请选择时区',
  secondFactor: '请选择',
  address: serviceAddressMessage,
  roomAddress: '请填写以 http:// 或 https:// 开头的地址，域名中不能有用户名，最多500个字符',
  secretLength: '最多200个字符',
  bothOfLive: '请同时填写服务器地址和密钥',
  noAddress: '请填写地址',
  mobile: '请输入11位手机号',
  notAPicture: '请上传 PNG 或 JPG 图片',
} as const;

export const outOfRangeMessage = (name: keyof typeof policyLimits): string => {
  const { least, most } = policyLimits[name];
  return `请输入${least}到${most}的整数`;
};

export const missingHoliday = '该日期不存在';

/** Maximum characters of a holiday's name, and maximum days added at once. */
export const holidayNameLimit = 20;

export const maxHolidaysAtOnce = 60;

export const holidayMessages = {
  noName: '请填写名称',
  nameLength: `名称不能超过${holidayNameLimit}个字`,
  noDay: '请选择日期',
  noLastDay: '请选择正确的结束日期',
  order: '结束日期不能早于开始日期',
  tooMany: `一次最多添加${maxHolidaysAtOnce}天`,
  weekday: '请选择按星期几上课',
} as const;

/** Messages of the national list. */
export const nationalMessages = {
  noDays: '请至少选择一天',
  unknown: (days: readonly string[]) => `${days.join('、')}不在国家法定节假日中`,
} as const;

/** Years of a plan whose holidays are not known in full. */
export interface HolidayGaps {
  /** Years without any day off. */
  none: number[];
  /** Years with the days off by law alone, or without the make-up workdays that an announcement would have. */
  byLaw: number[];
}

/** Returns the years of the planned days whose holidays are not known in full. */
export function holidayGaps(
  planned: readonly string[],
  { closed, yearsByLaw = [] }: { closed: readonly string[]; yearsByLaw?: readonly number[] | undefined },
): HolidayGaps {
  const known = new Set(closed.map((day) => day.slice(0, 4)));
  const years = [...new Set(planned.map((day) => day.slice(0, 4)))].sort();
  return {
    none: years.filter((year) => !known.has(year)).map(Number),
    byLaw: years.map(Number).filter((year) => yearsByLaw.includes(year)),
  };
}

const yearList = (years: readonly number[]): string => years.map((year) => `${year}年`).join('、');

/** Says which years of a plan skip no day, or only the days off by law; '' if the holidays of all are known. */
export const holidayGapsText = ({ none, byLaw }: HolidayGaps): string =>
  [
    ...(none.length > 0 ? [`${yearList(none)}还没有节假日，不会跳过任何放假的日子`] : []),
    ...(byLaw.length > 0 ? [`${yearList(byLaw)}的放假调休安排尚未公布或尚未采用，目前只按法定节日跳过`] : []),
  ].join('；');

/** Message after adding days off on which lessons are still scheduled. */
export const addedWithLessons = (lessons: number): string =>
  `添加成功，这些日子已排的${lessons}节课没有改动，见下面的列表`;

/** Message after an edit made a day with lessons a day off. */
export const savedWithLessons = (lessons: number): string => `保存成功，这一天已排的${lessons}节课没有改动`;

/** Names of the weekdays from 1 (Monday). */
export const weekdayNames = ['周一', '周二', '周三', '周四', '周五', '周六', '周日'] as const;

/** Names and values of a day's fields, for the message of an edit conflict. */
export const holidayFieldNames = { day: '日期', name: '名称', is_workday: '安排', as_weekday: '上课时按' } as const;

export function holidayValueText(field: keyof typeof holidayFieldNames, value: unknown): string {
  if (field === 'is_workday') return value === 1 ? '调休上课' : '放假';
  if (field === 'as_weekday') return value === null ? '当天的课表' : `${weekdayNames[Number(value) - 1]}的课表`;
  return String(value);
}

export const holidayTakenMessage = (days: readonly string[]): string => `${days.join('、')}已有记录`;
