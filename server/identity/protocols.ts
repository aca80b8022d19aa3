import { cas } from './cas.ts';
import { dingtalk } from './dingtalk.ts';
import { feishu } from './feishu.ts';
import { oidc } from './oidc.ts';
import type { Protocol } from './provider.ts';
import type { ProviderKind } from './rules.ts';
import { wecom } from './wecom.ts';

/** How each kind of provider is spoken with. */
export const protocols: Record<ProviderKind, Protocol> = { oidc, cas, wecom, dingtalk, feishu };
