import { exportExam } from '#server/exams/paper.contract.ts';
import { exportFileLoader } from '../questions/export-dialog.server.ts';
import { examExportFile } from './screens.ts';

export const loader = exportFileLoader(exportExam, examExportFile);
