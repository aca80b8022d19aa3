import { normalizeName } from './rules.ts';

export { normalizeName };

/** Compares two names; ignores case, spaces, full-width forms and invisible characters. */
export const isSameName = (one: string, other: string): boolean => normalizeName(one) === normalizeName(other);

/** Normalises a name and also removes brackets, which people leave out when they type it. */
export const normalizeNameLoosely = (name: string): string => normalizeName(name).replace(/[()[\]{}【】〔〕「」]/g, '');
