import { schoolChoices } from '#server/school/admin-schools.ts';
import { handle } from '#server/school/context.ts';
import { addEntry, archiveEntry, deleteEntry, editEntry, mergeEntry, moveEntry, restoreEntry } from './changes.ts';
import {
  addCatalogueEntry,
  archiveCatalogueEntry,
  catalogueSchools,
  deleteCatalogueEntry,
  editCatalogueEntry,
  listCatalogue,
  mergeCatalogueEntry,
  moveCatalogueEntry,
  restoreCatalogueEntry,
  showCatalogueEntry,
} from './contract.ts';
import { catalogueEntry, cataloguePage } from './list.ts';

export const catalogueCalls = [
  handle(catalogueSchools, ({ db, actor }) => schoolChoices(db, actor)),
  handle(listCatalogue, ({ params, query, ...context }) => cataloguePage(context, params.kind, query)),
  handle(showCatalogueEntry, ({ params, ...context }) => catalogueEntry(context, params.kind, params.id)),
  handle(addCatalogueEntry, ({ params, body, ...context }) => addEntry(context, params.kind, body)),
  handle(editCatalogueEntry, ({ params, body, ...context }) => editEntry(context, params.kind, params.id, body)),
  handle(moveCatalogueEntry, ({ params, body, ...context }) =>
    moveEntry(context, params.kind, params.id, body.direction),
  ),
  handle(archiveCatalogueEntry, ({ params, ...context }) => archiveEntry(context, params.kind, params.id)),
  handle(restoreCatalogueEntry, ({ params, ...context }) => restoreEntry(context, params.kind, params.id)),
  handle(mergeCatalogueEntry, ({ params, body, ...context }) => mergeEntry(context, params.kind, params.id, body)),
  handle(deleteCatalogueEntry, ({ params, ...context }) => deleteEntry(context, params.kind, params.id)),
];
