import { hydrateDrawn } from '../ui/client/hydrate-drawn.tsx';
import { NoticeForm } from './notice-form.tsx';

hydrateDrawn('notice-form.island', NoticeForm);
