import { CatalogueFilter } from '#server/catalogue/contract.ts';
import { catalogueKinds } from '#server/catalogue/rules.ts';
import { dialog } from '../lib/dialog.ts';
import { listScreen } from '../lib/list-view.ts';
import { screen } from '../lib/screen.ts';
import { OptionalId, oneOf } from '../lib/search.ts';

/** Screen of the catalogues for administrators, with a tab per kind. */
export const catalogue = screen('AdminCatalogue', '/admin/catalogue', 'list', {
  kind: oneOf(catalogueKinds, 'grades'),
});
export const catalogueList = listScreen(catalogue, CatalogueFilter, {}, { neutral: ['all'] });
/** `under` is the id of the parent entry. */
export const entryAdd = dialog(catalogue, 'add', 'add', { under: OptionalId });
export const entryEdit = dialog(catalogue, ':id/edit', 'edit');
export const entryArchive = dialog(catalogue, ':id/put-away', 'archive');
export const entryRestore = dialog(catalogue, ':id/restore', 'restore');
export const entryDelete = dialog(catalogue, ':id/delete', 'delete');
export const entryMerge = dialog(catalogue, ':id/merge', 'merge');
