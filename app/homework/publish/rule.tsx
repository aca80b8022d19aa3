/** Dialog that chooses questions for the homework by a rule. */
import { composeHomework } from '#server/homework/compose.contract.ts';
import { noQuestionFault, questionScoreFault } from '#server/homework/rules.ts';
import { pickablePoints, showPublicQuestions, showQuestions } from '#server/questions/contract.ts';
import { api } from '../../api/client.server.ts';
import { swapsText, withRuleRows } from '../../lib/rule-address.ts';
import { pathsOf } from '../../questions/point-paths.ts';
import { draftOf } from '../../questions/question-codec.ts';
import { chooseForDialog, readChosen } from '../../questions/rule.server.ts';
import { RuleDialog } from '../../questions/rule-dialog.tsx';
import { readButton, readPostedForm, refusedForm } from '../../shell/form-action.server.ts';
import { requirePermission } from '../../shell/permissions.server.ts';
import { signedInPerson } from '../../shell/signed-in.server.ts';
import { titleMeta } from '../../shell/title.ts';
import { composeByRule } from '../screens.ts';
import type { Route } from './+types/rule';
import { scoreCount } from './form.ts';
import { addQuestionsAndReturn, loadStoredForm } from './kept-form.server.ts';

export const meta: Route.MetaFunction = () => titleMeta('按规则选题');

export async function loader({ context, url }: Route.LoaderArgs) {
  requirePermission(context, composeHomework);
  const client = context.get(api);
  const { questions } = await loadStoredForm(context, url);
  const present = questions.flatMap(({ source_id }) => source_id ?? []);
  const [choice, points] = await Promise.all([
    chooseForDialog(url, (body) => client.ask(composeHomework, { body: { ...body, present } })),
    client.send(pickablePoints, {}),
  ]);
  return {
    choice,
    points: pathsOf(points),
    offersPublic: signedInPerson(context).settings.switch_question_module,
    closeHref: composeByRule.behind(url),
  };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const form = await readPostedForm(request, context);
  readButton(form, '');
  const chosen = readChosen(form);
  const scores = new Map(chosen.flatMap(({ id, score }) => (score === '' ? [] : [[id, Number(score)] as const])));
  const wrongScore = [...scores.values()].map(questionScoreFault).find(Boolean);
  const fault = noQuestionFault(chosen.length) ?? wrongScore;
  if (fault) return refusedForm({ ok: false, status: 422, msg: fault }, form);
  const { switch_question_module } = signedInPerson(context).settings;
  const call = switch_question_module ? showPublicQuestions : showQuestions;
  const ids = chosen.map(({ id }) => id).join(',');
  const questions = await context.get(api).ask(call, { params: { ids } });
  if (!questions.ok) return refusedForm(questions, form);
  const added = questions.data.map((question) => {
    const draft = draftOf(question);
    return { source_id: question.id, draft, scores: Array(scoreCount(draft)).fill(scores.get(question.id)) };
  });
  return addQuestionsAndReturn(context, added, url);
}

export default function ComposeHomework({ loaderData, actionData }: Route.ComponentProps) {
  const { choice, points, offersPublic, closeHref } = loaderData;
  const { rows, seed, swaps, unusedDays } = choice;
  const chosen = { seed, swaps: swapsText(swaps) };
  return (
    <RuleDialog
      choice={choice}
      refused={actionData}
      closeHref={closeHref}
      hrefs={{
        form: composeByRule.href(closeHref, chosen),
        post: withRuleRows(composeByRule.href(closeHref, { ...chosen, unused_days: unusedDays }), rows),
      }}
      banks={[['mine', '我的题库'], ...(offersPublic ? ([['public', '公共题库']] as const) : [])]}
      points={points}
      addLabel="加入作业"
      linked
    />
  );
}
