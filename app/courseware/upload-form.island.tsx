import { takeOver } from '../ui/take-over.tsx';
import { UploadForm } from './upload-form.tsx';

takeOver('upload-form.island', UploadForm);
