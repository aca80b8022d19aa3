import { type CatalogueKind, everySchoolFault, isOfSchool } from '#server/catalogue/rules.ts';
import type { RequestContext } from '../shell/form-request.ts';
import { forbiddenBy, requireAllowed } from '../shell/permissions.server.ts';
import { signedInPerson } from '../shell/signed-in.server.ts';

/** Entries shared by all schools need an administrator of all schools: 403 otherwise. */
export function requireSharing(context: RequestContext, kind: CatalogueKind): void {
  const everySchool = signedInPerson(context).every_school === 1;
  if (!isOfSchool(kind)) requireAllowed(context, forbiddenBy(everySchoolFault({ everySchool })));
}
