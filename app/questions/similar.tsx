/** List of equal and nearly equal questions of the own bank, in pairs. */
import { Button } from '@mantine/core';
import { joinTags, mergeFault, tagsIn } from '#server/questions/rules.ts';
import {
  type ComparedQuestion,
  listSimilarQuestions,
  markDifferent,
  type SimilarPair,
  unmarkDifferent,
} from '#server/questions/similar.contract.ts';
import { api } from '../api/client.server.ts';
import { homeworkManage } from '../homework/screens.ts';
import type { AddressOf } from '../lib/address.ts';
import { readButton, readPostedForm, redirectBack } from '../shell/form-action.server.ts';
import type { ScreenHandle } from '../shell/frame.tsx';
import { requirePermission } from '../shell/permissions.server.ts';
import { titleMeta } from '../shell/title.ts';
import { Form, Submit } from '../ui/form.tsx';
import { List } from '../ui/list.tsx';
import { Screen, useAddress } from '../ui/screen.tsx';
import { Tag } from '../ui/tag.tsx';
import type { Route } from './+types/similar';
import { PairComparison } from './pair-comparison.tsx';
import { questionList, questionMerging, similarList, type similarScreen } from './screens.ts';
import styles from './similar.module.css';
import { questionTypeChoices } from './terms.ts';

export const handle: ScreenHandle = {
  crumbs: [
    { label: '作业管理', href: homeworkManage.href() },
    { label: '我的题目', href: questionList.href() },
    { label: '查重' },
  ],
};

export const meta: Route.MetaFunction = () => titleMeta('查重');

export async function loader({ context, url }: Route.LoaderArgs) {
  requirePermission(context, listSimilarQuestions);
  return { pairs: await context.get(api).send(listSimilarQuestions, { filter: similarList.at(url).filter }) };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const client = context.get(api);
  const [button, one = '', other = ''] = readButton(await readPostedForm(request, context), 'differ', 'compare');
  const outcome =
    button === 'differ'
      ? await client.ask(markDifferent, { body: { one, other } })
      : await client.ask(unmarkDifferent, { params: { one, other } });
  return redirectBack(context, outcome, url);
}

export default function SimilarQuestions({ loaderData: { pairs } }: Route.ComponentProps) {
  const view = useAddress(similarList);
  const { filter } = view;
  return (
    <Screen title="查重">
      <List<SimilarPair>
        view={view}
        result={pairs}
        body={(rows) => rows.map((pair) => <Pair key={pair.id} pair={pair} here={view.here} />)}
        nothing="没有相同或相近的题目"
        nothingFound="没有符合条件的题目"
        filters={{
          first: [
            { label: '题型', name: 'ques_type', value: filter.ques_type, choices: questionTypeChoices },
            {
              label: '相似度',
              name: 'match',
              value: filter.match,
              choices: [
                ['equal', '相同'],
                ['near', '相近'],
              ],
            },
          ],
          presets: [{ label: '不是重复的', filter: { marked: 1 } }],
          unfiltered: '待处理',
        }}
        above={pairs.left_out > 0 && <p>题目太多，只比较最近修改的 20000 道，其余 {pairs.left_out} 道没有比较。</p>}
      />
    </Screen>
  );
}

type Here = AddressOf<typeof similarScreen>;

function Pair({ pair: { one, other, percent, group }, here }: { pair: SimilarPair; here: Here }) {
  const { filter } = useAddress(similarList);
  const isMarked = filter.marked === 1;
  const tags = tagsIn(joinTags([...one.tags, ...other.tags])).length;
  const faults = [mergeFault(one, other, tags), mergeFault(other, one, tags)];
  return (
    <section className={styles.pair} aria-label={`${one.stem_text.slice(0, 30)}，${degreeOf(percent)}`}>
      <p className={styles.degree}>
        <Tag tone={percent === 100 ? 'warn' : 'plain'}>{degreeOf(percent)}</Tag>
        {group > 2 && <span>这一组共 {group} 道题目</span>}
      </p>
      <PairComparison one={one} other={other} />
      <Form>
        <div className={styles.actions}>
          {isMarked ? (
            <Submit intent={`compare ${one.id} ${other.id}`} variant="default">
              恢复比对
            </Submit>
          ) : (
            <>
              <MergeButton kept={one} gone={other} fault={faults[0]} here={here} words="保留左边，合并" />
              <MergeButton kept={other} gone={one} fault={faults[1]} here={here} words="保留右边，合并" />
              <Submit intent={`differ ${one.id} ${other.id}`} variant="default">
                不是重复
              </Submit>
            </>
          )}
        </div>
      </Form>
      {!isMarked && <Faults faults={faults} />}
    </section>
  );
}

const degreeOf = (percent: number): string => {
  if (percent === 100) return '相同';
  return percent === 0 ? '已不相近' : `相似度 ${percent}%`;
};

interface MergeButtonProps {
  kept: ComparedQuestion;
  gone: ComparedQuestion;
  fault: string | undefined;
  here: Here;
  words: string;
}

const MergeButton = ({ kept, gone, fault, here, words }: MergeButtonProps) =>
  fault ? (
    <Button disabled variant="default">
      {words}
    </Button>
  ) : (
    <Button component="a" variant="default" href={questionMerging.href(here, { kept: kept.id, gone: gone.id })}>
      {words}
    </Button>
  );

const Faults = ({ faults }: { faults: readonly (string | undefined)[] }) => {
  const said = [...new Set(faults.filter((fault) => fault !== undefined))];
  return said.length > 0 && <p className={styles.fault}>{said.join('；')}</p>;
};
