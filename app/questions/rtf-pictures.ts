/** Reads the pictures of RTF. Word and WPS copy HTML without the bytes of pictures, and RTF with them. */

/** A picture of the text, in order. `file` is undefined for a format that browsers do not show, such as WMF. */
export interface RtfPicture {
  file: File | undefined;
}

/**
 * Groups whose pictures are not in the HTML: a second version for old programs, the picture of a formula that is there
 * as a formula too, headers and the bullets of lists.
 */
const repeated = /^(?:nonshppict|mmathPict|header[lrf]?|footer[lrf]?|listpicture|shprslt)$/;

interface Group {
  isRepeated: boolean;
  /** The picture that this group is; undefined for others. */
  picture: { type: string; hex: string[] } | undefined;
}

export function picturesOfRtf(rtf: string): RtfPicture[] {
  const pictures: RtfPicture[] = [];
  const groups: Group[] = [];
  for (const [token, word] of rtf.matchAll(/[{}]|\\([a-z]+)-?\d* ?|\\[^a-z]|[\da-f\s]+|[^{}\\]/gi)) {
    const group = groups.at(-1);
    if (token === '{') groups.push({ isRepeated: group?.isRepeated ?? false, picture: undefined });
    else if (token === '}') {
      const { picture, isRepeated } = groups.pop() ?? {};
      if (picture && !isRepeated) pictures.push({ file: fileOf(picture) });
    } else if (!group) continue;
    else if (word === undefined) {
      if (group.picture && token.length > 1) group.picture.hex.push(token);
    } else if (repeated.test(word)) group.isRepeated = true;
    else if (word === 'pict') group.picture = { type: '', hex: [] };
    else if (group.picture && /^(?:png|jpeg)blip$/.test(word)) group.picture.type = word.slice(0, -4);
  }
  return pictures;
}

function fileOf({ type, hex }: NonNullable<Group['picture']>): File | undefined {
  const digits = hex.join('').replace(/\s+/g, '');
  if (type === '' || digits.length < 2) return undefined;
  const bytes = new Uint8Array(digits.length >> 1);
  for (let at = 0; at < bytes.length; at += 1) bytes[at] = Number.parseInt(digits.slice(at * 2, at * 2 + 2), 16);
  return new File([bytes], `图片.${type}`, { type: `image/${type}` });
}
