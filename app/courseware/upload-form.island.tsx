import { hydrateAtOnce } from '../ui/client/hydrate-at-once.tsx';
import { UploadForm } from './upload-form.tsx';

hydrateAtOnce('upload-form.island', UploadForm);
