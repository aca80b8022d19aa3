import { hydrateDrawn } from '../ui/client/hydrate-drawn.tsx';
import { UploadForm } from './upload-form.tsx';

hydrateDrawn('upload-form.island', UploadForm);
