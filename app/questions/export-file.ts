import { exportQuestions } from '#server/questions/export.contract.ts';
import { exportFileLoader } from './export-dialog.server.ts';
import { questionExportFile } from './screens.ts';

export const loader = exportFileLoader(exportQuestions, questionExportFile);
