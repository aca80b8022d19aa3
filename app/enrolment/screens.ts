/** Class membership, for administrators. */
import { missingClass } from '#server/classes/rules.ts';
import { MemberFilter } from '#server/enrolment/contract.ts';
import { SearchIds } from '#server/platform/calls/fields.ts';
import { ClassChoiceFilter } from '#server/students/contract.ts';
import { listScreen } from '../lib/list-view.ts';
import { screen } from '../lib/screen.ts';
import { ReturnAddress, ScreenId } from '../lib/search.ts';

const theClass = { missing: missingClass };

export const classChoice = screen('AdminClassChoice', '/admin/students/join', 'choose-class', {
  ids: SearchIds,
  back: ReturnAddress,
});

export const classChoiceList = listScreen(classChoice, ClassChoiceFilter);

export const classMembers = screen('AdminClassMembers', '/admin/students/class', 'class', { id: ScreenId }, theClass);

export const memberList = listScreen(classMembers, MemberFilter);

export const membersJoin = screen(
  'AdminMembersJoin',
  '/admin/students/class/join',
  'join',
  { id: ScreenId, ids: SearchIds, back: ReturnAddress },
  theClass,
);

export const membersLeave = screen(
  'AdminMembersLeave',
  '/admin/students/class/leave',
  'leave',
  { id: ScreenId, ids: SearchIds, back: ReturnAddress },
  theClass,
);
