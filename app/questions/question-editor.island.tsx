import { hydrateAtOnce } from '../ui/client/hydrate-at-once.tsx';
import { QuestionEditor } from './question-editor.tsx';

hydrateAtOnce('question-editor.island', QuestionEditor);
