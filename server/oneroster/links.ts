/** How one record names another, and ids as they are written. */
import { writtenId } from '#server/import/formats/oneroster-write.ts';
import { gradebookPath, rosteringPath } from './rules.ts';

const pathsOf = {
  org: `${rosteringPath}/orgs`,
  academicSession: `${rosteringPath}/academicSessions`,
  course: `${rosteringPath}/courses`,
  class: `${rosteringPath}/classes`,
  user: `${rosteringPath}/users`,
  category: `${gradebookPath}/categories`,
  lineItem: `${gradebookPath}/lineItems`,
} as const;
type ReferenceType = keyof typeof pathsOf;

export interface Reference {
  href: string;
  sourcedId: string;
  type: ReferenceType;
}

export type Links = (type: ReferenceType, id: unknown) => Reference;

/** `origin`: where the asker has found us. */
export const linksFrom =
  (origin: string): Links =>
  (type, id) => {
    const sourcedId = writtenId(String(id));
    return { href: `${origin}${pathsOf[type]}/${encodeURIComponent(sourcedId)}`, sourcedId, type };
  };

/** The id of which another is written, where the standard does not allow it as it is. */
export function readId(written: string): string {
  const coded = /^x-([\w-]+)$/.exec(written)?.[1];
  if (coded === undefined) return written;
  const id = Buffer.from(coded, 'base64url').toString('utf8');
  return writtenId(id) === written ? id : written;
}
