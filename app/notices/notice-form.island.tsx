import { hydrateAtOnce } from '../ui/client/hydrate-at-once.tsx';
import { NoticeForm } from './notice-form.tsx';

hydrateAtOnce('notice-form.island', NoticeForm);
