/** Dialog over a homework that exports its questions. */
import { planHomeworkExport } from '#server/homework/export.contract.ts';
import { exportLoader } from '../questions/export-dialog.server.ts';
import { exportDialog } from '../questions/export-dialog.tsx';
import { detailScreens, homeworkExport, homeworkExportFile } from './screens.ts';

const dialog = exportDialog({
  call: planHomeworkExport,
  at: homeworkExport,
  file: homeworkExportFile,
  recordId: (behind) => detailScreens.at(behind).hw_id,
});

export const meta = dialog.meta;
export const loader = exportLoader(dialog);
export default dialog.page;
