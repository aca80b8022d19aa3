/** Builds links between records, and parses ids in URLs. */
import { encodeId } from '#server/import/formats/oneroster-ids.ts';
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

/** Returns a function that builds links. `origin`: of the request's URL. */
export const linksFrom =
  (origin: string): Links =>
  (type, id) => {
    const sourcedId = encodeId(String(id));
    return { href: `${origin}${pathsOf[type]}/${encodeURIComponent(sourcedId)}`, sourcedId, type };
  };

/** Decodes an id that was written as `x-` and base64url, because the standard does not allow its characters. */
export function readId(written: string): string {
  const coded = /^x-([\w-]+)$/.exec(written)?.[1];
  if (coded === undefined) return written;
  const id = Buffer.from(coded, 'base64url').toString('utf8');
  return encodeId(id) === written ? id : written;
}
