/** Announcements of the demo school's classes: of head teachers and of the school, short and with formats. */
import type { Database } from '#server/platform/db/engine.ts';
import { demoPeople } from './demo-people.ts';
import { seededRandom } from './random.ts';
import type { RowWriter } from './row-writer.ts';

const day = 24 * 60 * 60;

const notices: { title: string; content: string }[] = [
  {
    title: '期中复习安排',
    content:
      '<p>各位同学：</p><p>期中考试前两周的复习按下表进行，请对照完成。</p><table><tbody><tr><th>日期</th><th>内容</th></tr><tr><td>周一</td><td>集合与函数</td></tr><tr><td>周三</td><td>三角函数</td></tr><tr><td>周五</td><td>综合练习</td></tr></tbody></table><p>重点公式：<span class="math" data-latex="\\sin^2\\alpha+\\cos^2\\alpha=1"></span></p>',
  },
  { title: '周末答疑', content: '<p>周六上午九点到十一点<strong>线上答疑</strong>，请提前把问题发到圈子里。</p>' },
  {
    title: '关于调整本学期晚自习时间并加强课后作业提交情况检查的通知',
    content:
      '<ol><li>晚自习改为 19:00 至 21:00。</li><li>作业须在当晚 22:00 前提交。</li><li>连续三次未交的，班主任将与家长沟通。</li></ol>',
  },
  { title: '家长会通知', content: '<p>本周五晚上七点半召开线上家长会，入口见“班会”。</p>' },
  { title: '教材领取', content: '<p>新教材已到，请到静安校区前台领取；外地同学将统一邮寄。</p>' },
  { title: '直播课堂纪律', content: '<ul><li>提前五分钟进入</li><li>实名</li><li>发言前举手</li></ul>' },
];

export async function addNotices(db: Database, writer: RowWriter, now: number): Promise<void> {
  const { classes, busiest } = await demoPeople(db);
  const random = seededRandom(409);
  for (const [index, klass] of classes.entries()) {
    const [head] = klass.staff;
    const add = (notice: { title: string; content: string }, staff_id: number | null, at: number) =>
      writer.add('class_notice', { class_id: klass.id, ...notice, staff_id, created_at: at, updated_at: at });
    add(
      { title: '校历与放假安排', content: '<p>请查看学校网站上的校历，放假期间不安排直播课。</p>' },
      null,
      now - 60 * day,
    );
    // The last class has only what the school announced.
    if (!head || index === classes.length - 1) continue;
    const count = index === busiest ? notices.length : random.whole(2, 4);
    for (const [number, notice] of random.shuffled(notices).slice(0, count).entries()) {
      add(
        notice,
        head.id,
        Math.min(now, klass.ends ?? now) - Math.floor((count - number) * (4 + random.next()) * day) + 3 * day,
      );
    }
  }
}
