/** Addresses of the dialogs over the courseware of a class. */
import { classSearch } from '../tabs/tab.ts';

type WareDialog = 'add' | 'choose' | `${number}/edit` | `${number}/remove`;

/** `filter` is the list's page behind it. */
export const wareDialog = (
  classId: number,
  what: WareDialog,
  filter: Record<string, string | number | undefined> = {},
): string => `/classes/detail/wares/${what}${classSearch(classId, 'courseware', filter)}`;
