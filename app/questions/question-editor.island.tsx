import { hydrateDrawn } from '../ui/client/hydrate-drawn.tsx';
import { QuestionEditor } from './question-editor.tsx';

hydrateDrawn('question-editor.island', QuestionEditor);
