/** Compares two names; ignores case, spaces, full-width forms and invisible characters. */
export const isSameName = (one: string, other: string): boolean => normalizeName(one) === normalizeName(other);

/** Returns the form of a name in which names are compared and searched. */
export const normalizeName = (name: string): string =>
  name
    .normalize('NFKC')
    .replace(/[\s\u00ad\u200b-\u200f\u2060\ufeff]+/g, '')
    .toLowerCase();

/** Normalises a name and also removes brackets, which people leave out when they type it. */
export const normalizeNameLoosely = (name: string): string => normalizeName(name).replace(/[()[\]{}【】〔〕「」]/g, '');
