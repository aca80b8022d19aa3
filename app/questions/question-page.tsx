/** Page around the question form, to add or edit a question. */
import type { ReactNode } from 'react';
import { Hydrated } from '../ui/hydrated.tsx';
import { Screen } from '../ui/screen.tsx';
import { QuestionEditor, type QuestionEditorProps } from './question-editor.tsx';
import { questionList } from './screens.ts';

interface QuestionPageProps extends Omit<QuestionEditorProps, 'backHref'> {
  title: string;
  backHref?: string;
  note?: ReactNode;
}

export const QuestionPage = ({ title, note, backHref = questionList.href(), ...form }: QuestionPageProps) => (
  <Screen card>
    <h1>{title}</h1>
    {note}
    <Hydrated name="question-editor.island" component={QuestionEditor} props={{ ...form, backHref }} />
  </Screen>
);
