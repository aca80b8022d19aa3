import { type CatalogueKind, everySchoolFault, isOfSchool } from '#server/catalogue/rules.ts';
import type { RequestContext } from '../shell/form-request.ts';
import { forbiddenIfFault, requireAllowed } from '../shell/permissions.server.ts';
import { signedInPerson } from '../shell/signed-in.server.ts';

/**
 * Throws a 403 error page unless the user may change this catalogue. Entries that all schools share need an
 * administrator of all schools.
 */
export function requireEverySchool(context: RequestContext, kind: CatalogueKind): void {
  const everySchool = signedInPerson(context).every_school === 1;
  if (!isOfSchool(kind)) requireAllowed(context, forbiddenIfFault(everySchoolFault({ everySchool })));
}
