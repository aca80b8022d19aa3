/** Status, result and time of a report, for the lists of reports and students. */
import { Tag } from '../ui/tag.tsx';
import { formatUsedTime, passNames, testStatusNames } from './terms.ts';

export const TestStatus = ({ status }: { status: 2 | 3 }) => (
  <Tag tone={status === 2 ? 'warn' : 'good'}>{testStatusNames[status]}</Tag>
);

export const PassResult = ({ pass }: { pass: 0 | 1 | 2 }) =>
  pass === 0 ? passNames[pass] : <Tag tone={pass === 1 ? 'good' : 'bad'}>{passNames[pass]}</Tag>;

/** Time used, in minutes. The tooltip adds the seconds, which matter near a time limit. */
export const UsedTime = ({ seconds }: { seconds: number }) => (
  <span title={`${Math.floor(seconds / 60)}分${seconds % 60}秒`}>{formatUsedTime(seconds)}</span>
);
