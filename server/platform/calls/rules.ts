/** What is said where a call cannot be taken at all. */
export const callMessages = {
  malformed: '请求格式不正确',
  tooLarge: '提交的内容过大，请减少后再试',
  signedOut: '请先登录',
  expired: '登录已过期，请重新登录',
  notOffered: '当前身份没有此功能',
  away: '服务暂时不可用，请稍后再试',
} as const;

/** A field by its path (`ques_option.2.content`, indexes from 0), and what is wrong with it. */
export type FieldErrors = Record<string, string[]>;

/** A page of rows. */
export interface Page<Row> {
  list: Row[];
  total: number;
  page: number;
  limit: number;
}
