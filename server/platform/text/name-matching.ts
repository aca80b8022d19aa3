/** Compares names ignoring case, spaces, full-width forms and invisible characters. */
export const isSameName = (one: string, other: string): boolean => normalizeName(one) === normalizeName(other);

/** Normal form of a name for `isSameName` and searches. */
export const normalizeName = (name: string): string =>
  name
    .normalize('NFKC')
    .replace(/[\s\u00ad\u200b-\u200f\u2060\ufeff]+/g, '')
    .toLowerCase();

/** Like the normal form, without brackets, which people omit when typing a name. */
export const normalizeNameLoosely = (name: string): string => normalizeName(name).replace(/[()[\]{}【】〔〕「」]/g, '');
