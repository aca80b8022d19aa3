/** Dialog that chooses questions for a section of a paper by a rule. */
import { showAdminExam } from '#server/exams/admin.contract.ts';
import { addBankQuestions, composeExam, examBankChoices } from '#server/exams/composing.contract.ts';
import { api } from '../../api/client.server.ts';
import { swapsText, withRuleRows } from '../../lib/rule-address.ts';
import { pathsOf } from '../../questions/point-paths.ts';
import { chooseForDialog, readChosen } from '../../questions/rule.server.ts';
import { RuleDialog } from '../../questions/rule-dialog.tsx';
import { finishForm, readButton, readPostedForm } from '../../shell/form-action.server.ts';
import { requireAllowed, requirePermission } from '../../shell/permissions.server.ts';
import { titleMeta } from '../../shell/title.ts';
import { examPaper, examRule } from '../screens.ts';
import type { Route } from './+types/rule';

export const meta: Route.MetaFunction = () => titleMeta('按规则选题');

export async function loader({ context, url }: Route.LoaderArgs) {
  requirePermission(context, composeExam);
  const client = context.get(api);
  const params = { id: examPaper.at(url).id };
  const [exam, choices] = await Promise.all([client.send(showAdminExam, { params }), client.send(examBankChoices, {})]);
  requireAllowed(context, exam.refusals.paper);
  return {
    choice: await chooseForDialog(url, (body) => client.ask(composeExam, { params, body })),
    section: examRule.at(url).section,
    points: pathsOf(choices),
    banks: [
      ['mine', '我的题库'],
      ...(choices.offers_public ? ([['public', '公共题库']] as const) : []),
      ...choices.colleagues.map(({ id, name }) => [String(id), `${name}的题库`] as const),
    ] as const,
    closeHref: examRule.behind(url),
  };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const form = await readPostedForm(request, context);
  readButton(form, '');
  const chosen = readChosen(form);
  const outcome = await context.get(api).ask(addBankQuestions, {
    params: { id: examPaper.at(url).id },
    body: {
      section_id: examRule.at(url).section,
      ids: chosen.map(({ id }) => id),
      scores: chosen,
    },
  });
  return finishForm(context, outcome, examRule.behind(url), form);
}

export default function ComposeExam({ loaderData, actionData }: Route.ComponentProps) {
  const { choice, section, points, banks, closeHref } = loaderData;
  const { rows, seed, swaps, unusedDays } = choice;
  const chosen = { section, seed, swaps: swapsText(swaps) };
  return (
    <RuleDialog
      choice={choice}
      refused={actionData}
      closeHref={closeHref}
      hrefs={{
        form: examRule.href(closeHref, chosen),
        post: withRuleRows(examRule.href(closeHref, { ...chosen, unused_days: unusedDays }), rows),
      }}
      banks={banks}
      points={points}
      addLabel="加入试卷"
      linked={false}
    />
  );
}
