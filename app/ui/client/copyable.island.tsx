/** Shows the button 复制 beside each text of `Copyables`. Plain DOM code. */
import './keys/quick-keys.ts';

for (const input of document.querySelectorAll<HTMLInputElement>('input[data-copyable]')) {
  const row = input.parentElement?.parentElement;
  const button = row?.querySelector('button');
  const words = button?.querySelector('[data-copy]');
  const status = row?.querySelector('[role=status]');
  if (!button || !words || !status) continue;
  button.hidden = false;
  const say = (text: string) => {
    words.textContent = text;
    button.setAttribute('aria-label', `${text}：${input.dataset.copyable ?? ''}`);
  };
  button.addEventListener('click', async () => {
    const isCopied = await copy(input);
    const outcome = isCopied ? '已复制' : '请手动复制';
    say(outcome);
    status.textContent = outcome;
    setTimeout(say, 2000, '复制');
  });
}

/** Copies the text of a field. The Clipboard API needs HTTPS; on plain HTTP execCommand copies the selection. */
async function copy(input: HTMLInputElement): Promise<boolean> {
  input.select();
  if (navigator.clipboard) {
    return navigator.clipboard.writeText(input.value).then(
      () => true,
      () => document.execCommand('copy'),
    );
  }
  return document.execCommand('copy');
}
