import { exportHomework } from '#server/homework/export.contract.ts';
import { exportFileLoader } from '../questions/export-dialog.server.ts';
import { homeworkExportFile } from './screens.ts';

export const loader = exportFileLoader(exportHomework, homeworkExportFile);
