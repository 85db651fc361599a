// The texts of mails. `link` is the label of the button. Anybody can register a company and so make us write to any
// address. The subject lines of mails about registrations and invitations therefore contain nothing that people typed.
import type { MailLanguage, Template, Values } from './mail.ts'

type MailText = {
  readonly subject: string
  readonly lines: readonly string[]
  readonly link?: string
}

type Words = Readonly<Record<Template, (values: Values) => MailText>>

const ignoreEn = 'If you did not ask for this, ignore this mail; nothing happens.'
const ignoreZh = '如果不是您本人操作，请忽略此邮件，不会有任何影响。'
const secureEn =
  'If this was not you or a colleague, change your password and end the other sessions in your profile.'
const secureZh = '如果不是您或您的同事所为，请立即修改密码，并在个人资料中结束其他会话。'

type Steps = Readonly<Record<string, (person: string) => string>>

/** The steps of people/registration/owners.ts, for the mail `owner-made`. */
const ownerStepsEn: Steps = {
  invite: (person) => `${person} was invited as an owner`,
  'change-role': (person) => `${person} was made an owner`,
  enable: (person) => `The owner ${person} was enabled again`,
  'reset-factor': (person) => `The second factors of the owner ${person} were removed`,
}
const ownerStepsZh: Steps = {
  invite: (person) => `${person} 受邀成为所有者`,
  'change-role': (person) => `${person} 已成为所有者`,
  enable: (person) => `所有者 ${person} 已重新启用`,
  'reset-factor': (person) => `所有者 ${person} 的第二验证因素已移除`,
}

/** The rules about who may sign requests, for the mail about a changed key. */
const signingRulesEn: Readonly<Record<string, string>> = {
  ips: 'list of addresses',
  'require-ip': 'rule that requests come only from listed addresses',
  'require-rsa': 'rule that requests need an RSA signature',
}
const signingRulesZh: Readonly<Record<string, string>> = {
  ips: '地址列表',
  'require-ip': '仅接受来自列表中地址的请求',
  'require-rsa': '仅接受 RSA 签名',
}

const en: Words = {
  invitation: ({ company = '', role = '' }) => ({
    subject: 'You are invited to a payment back office',
    lines: [
      `${company} has invited you to its payment back office with the role "${role}".`,
      'Set a password with the link. It works once, for 24 hours.',
    ],
    link: 'Set your password',
  }),
  'invitation-taken': ({ company = '', role = '' }) => ({
    subject: 'You are invited, but this address has an account',
    lines: [
      `${company} has invited you to its payment back office with the role "${role}". This address already has an account with another company, and an address can have only one.`,
      `To join, ask ${company} to invite another address of yours. We have not told ${company} about your account, which stays as it is.`,
    ],
  }),
  reset: () => ({
    subject: 'Set a new password',
    lines: ['Set a new password with the link. It works once, for one hour.', ignoreEn],
    link: 'Set a new password',
  }),
  registration: ({ company = '' }) => ({
    subject: 'Confirm your registration',
    lines: [
      `Confirm this address to register the company "${company}". The link works once, for 24 hours.`,
      ignoreEn,
    ],
    link: 'Confirm and set a password',
  }),
  'already-registered': () => ({
    subject: 'You already have an account',
    lines: [
      'Somebody asked to register a company with this address, which already has an account.',
      'Sign in with it, or ask for a new password on the sign-in page.',
      ignoreEn,
    ],
  }),
  approved: ({ company = '' }) => ({
    subject: `${company} is approved`,
    lines: [`${company} can take payments now. Your key is in the back office, under Developers.`],
  }),
  'password-changed': ({ at = '' }) => ({
    subject: 'Your password was changed',
    lines: [`The password of your account was changed at ${at}. All other sessions have ended.`, secureEn],
  }),
  report: ({ name = '' }) => ({
    subject: `Your report is ready: ${name}`,
    lines: [
      `The report "${name}" is ready. Download it in the back office, under Orders, Exports; it is kept for seven days.`,
    ],
  }),
  'payment-link': ({ company = '', title = '', amount = '' }) => ({
    subject: `${company}: ${title}`,
    lines: [
      `${company} asks you to pay${amount && ` ${amount}`} for "${title}".`,
      'If you do not know the sender, do not pay.',
    ],
    link: 'Open the payment page',
  }),
  test: () => ({
    subject: 'Test mail',
    lines: ['The mail settings work.'],
  }),
  'delivery-failed': ({ orderNo = '', url = '' }) => ({
    subject: 'A notification could not be delivered',
    lines: [
      `The notifications of order ${orderNo} were not acknowledged by ${url}, and we have stopped sending them.`,
      'Look at the responses in the notification log, then send them again from there. Further failures of the next hour are not reported by mail.',
    ],
  }),
  'dispute-opened': ({ orderNo = '', amount = '' }) => ({
    subject: `A payment is disputed: ${orderNo}`,
    lines: [
      `The payer's bank disputes ${amount} of order ${orderNo}. The amount was taken from your balance.`,
      'Add your evidence in the back office, under Disputes.',
    ],
  }),
  'dispute-due': ({ orderNo = '', amount = '', due = '' }) => ({
    subject: `Evidence is due soon: ${orderNo}`,
    lines: [
      `The dispute over ${amount} of order ${orderNo} takes evidence until ${due}.`,
      'Add your evidence in the back office, under Disputes.',
    ],
  }),
  'payout-result': ({ orderNo = '', amount = '', result = '' }) => ({
    subject: `Payout ${orderNo} ${result}`,
    lines: [`The payout ${orderNo} over ${amount} ${result}.`],
  }),
  'key-changed': ({ what = '', at = '' }) => ({
    subject: what in signingRulesEn ? 'The rules for signing were changed' : 'A key was changed',
    lines: [`The ${signingRulesEn[what] ?? what} of your company was changed at ${at}.`, secureEn],
  }),
  'key-permission': ({ roles = '' }) => ({
    subject: 'Fewer people can use the live key',
    lines: [
      `These roles of your company can no longer see or replace the merchant key of the live gateway, register an RSA key or change the list of addresses: ${roles}. Somebody with the key can pay out past the second person. Nothing changes in the sandbox, and these roles keep the webhook secret.`,
      'Owners keep these rights. To give them to somebody else, add the permission "See and replace the live key, and decide who may sign" to a role, under Settings, Roles.',
      'If a person with one of these roles has seen the live key before, replace it under Developers, Keys and websites. Payouts that are sent with the key can wait for one of your people, too: see Payouts, Approvals.',
    ],
  }),
  'owner-made': ({ company = '', person = '', what = '', by = '', at = '' }) => ({
    subject: `${company}: ${ownerStepsEn[what]?.(person) ?? person}`,
    lines: [
      `${ownerStepsEn[what]?.(person) ?? person} by ${by} at ${at}. An owner can do everything in the back office of ${company}: see the keys, pay out and invite others.`,
      'If this is wrong, disable the person under Settings, Team, or call the operator of the gateway at once.',
    ],
  }),
  'account-changed': ({ what = '', by = '', at = '' }) => ({
    subject: 'Your account was changed',
    lines: [`${by} changed ${what}${at && ` at ${at}`}.`, secureEn],
  }),
  'payout-account': ({ what = '', by = '', at = '', run, more = '0' }) =>
    run === undefined
      ? {
          subject: `A payout account was saved: ${what}`,
          lines: [
            `${by} saved the payout account ${what} at ${at}. It can be paid in 24 hours, or as soon as a second person confirms it.`,
            'If you do not know this account, reject it in the back office, under Payouts, Approvals. Then disable the person who saved it, under Settings, Team.',
          ],
        }
      : {
          subject: `Payouts to new accounts wait: ${run}`,
          lines: [
            `${by} entered payouts at ${at} to accounts that are new or were changed: ${what}${more === '0' ? '' : `, and ${more} more`}. They are made as soon as a second person approves them.`,
            'If you do not know these accounts, reject the payouts in the back office, under Payouts, Approvals. Then disable the person who entered them, under Settings, Team.',
          ],
        },
  'new-device': ({ address = '', agent = '', at = '' }) => ({
    subject: 'Sign-in from a new device',
    lines: [
      `Somebody signed in to your account at ${at} from a browser that we have not seen before.`,
      `Address: ${address}`,
      `Browser: ${agent}`,
      secureEn,
    ],
  }),
}

const zh: Words = {
  invitation: ({ company = '', role = '' }) => ({
    subject: '邀请您使用支付后台',
    lines: [
      `${company} 邀请您以“${role}”角色使用其支付后台。`,
      '请通过链接设置密码。链接只能使用一次，24 小时内有效。',
    ],
    link: '设置密码',
  }),
  'invitation-taken': ({ company = '', role = '' }) => ({
    subject: '邀请您加入，但此邮箱已有账户',
    lines: [
      `${company} 邀请您以“${role}”角色使用其支付后台。此邮箱在另一家公司已有账户，而一个邮箱只能有一个账户。`,
      `如需加入，请让 ${company} 邀请您的另一个邮箱。我们没有向 ${company} 透露您的账户，您的账户保持不变。`,
    ],
  }),
  reset: () => ({
    subject: '设置新密码',
    lines: ['请通过链接设置新密码。链接只能使用一次，一小时内有效。', ignoreZh],
    link: '设置新密码',
  }),
  registration: ({ company = '' }) => ({
    subject: '请确认注册',
    lines: [`请确认此邮箱以注册公司“${company}”。链接只能使用一次，24 小时内有效。`, ignoreZh],
    link: '确认并设置密码',
  }),
  'already-registered': () => ({
    subject: '您已有账户',
    lines: ['有人用此邮箱申请注册公司，但该邮箱已有账户。', '请直接登录，或在登录页面申请新密码。', ignoreZh],
  }),
  approved: ({ company = '' }) => ({
    subject: `${company} 已通过审核`,
    lines: [`${company} 现在可以收款。密钥在后台的“开发者”页面中。`],
  }),
  'password-changed': ({ at = '' }) => ({
    subject: '您的密码已修改',
    lines: [`您的账户密码已于 ${at} 修改，其他会话均已结束。`, secureZh],
  }),
  report: ({ name = '' }) => ({
    subject: `报表已生成：${name}`,
    lines: [`报表“${name}”已生成。请在后台的“订单”—“导出”中下载，保留七天。`],
  }),
  'payment-link': ({ company = '', title = '', amount = '' }) => ({
    subject: `${company}：${title}`,
    lines: [`${company} 请您为“${title}”付款${amount && ` ${amount}`}。`, '如果您不认识发件人，请勿付款。'],
    link: '打开付款页面',
  }),
  test: () => ({ subject: '测试邮件', lines: ['邮件设置可用。'] }),
  'delivery-failed': ({ orderNo = '', url = '' }) => ({
    subject: '通知未能送达',
    lines: [
      `订单 ${orderNo} 的通知未得到 ${url} 的确认，我们已停止发送。`,
      '请在通知日志中查看响应，然后重新发送。一小时内的其他失败不再发送邮件。',
    ],
  }),
  'dispute-opened': ({ orderNo = '', amount = '' }) => ({
    subject: `付款被拒付：${orderNo}`,
    lines: [
      `付款人的银行对订单 ${orderNo} 的 ${amount} 提出拒付，该金额已从您的余额中扣除。`,
      '请在后台的“争议”页面提交证据。',
    ],
  }),
  'dispute-due': ({ orderNo = '', amount = '', due = '' }) => ({
    subject: `证据提交即将截止：${orderNo}`,
    lines: [`订单 ${orderNo}（${amount}）的拒付证据须在 ${due} 前提交。`, '请在后台的“争议”页面提交证据。'],
  }),
  'payout-result': ({ orderNo = '', amount = '', result = '' }) => {
    const inChinese = { succeeded: '成功', 'came back': '已退回' }[result] ?? '失败'
    return {
      subject: `付款 ${orderNo}：${inChinese}`,
      lines: [`付款 ${orderNo}（${amount}）的结果：${inChinese}。`],
    }
  },
  'key-changed': ({ what = '', at = '' }) => {
    const rule = signingRulesZh[what]
    return rule === undefined
      ? { subject: '密钥已更改', lines: [`贵公司的密钥（${what}）已于 ${at} 更改。`, secureZh] }
      : { subject: '签名规则已更改', lines: [`贵公司的签名规则（${rule}）已于 ${at} 更改。`, secureZh] }
  },
  'key-permission': ({ roles = '' }) => ({
    subject: '可使用正式密钥的人员减少',
    lines: [
      `贵公司的以下角色不再能查看或更换正式网关的商户密钥、登记 RSA 密钥或修改地址列表：${roles}。持有密钥的人可以绕过第二人审批进行付款。沙箱中没有变化，这些角色仍可管理 webhook 密钥。`,
      '所有者保留这些权限。如需授予他人，请在“设置”—“角色”中为某个角色添加“查看和更换正式密钥，并决定谁可以签名”权限。',
      '如果拥有上述角色的人曾看到过正式密钥，请在“开发者”—“密钥和网站”中更换。使用密钥发起的付款也可以等待贵公司人员审批：见“付款”—“审批”。',
    ],
  }),
  'owner-made': ({ company = '', person = '', what = '', by = '', at = '' }) => ({
    subject: `${company}：${ownerStepsZh[what]?.(person) ?? person}`,
    lines: [
      `${ownerStepsZh[what]?.(person) ?? person}，由 ${by} 于 ${at} 操作。所有者可以在 ${company} 的后台执行一切操作：查看密钥、付款、邀请他人。`,
      '如果有误，请在“设置”—“团队”中停用此人，或立即联系网关运营方。',
    ],
  }),
  'account-changed': ({ what = '', by = '', at = '' }) => ({
    subject: '您的账户已更改',
    lines: [`${by}${at && ` 于 ${at} `}更改了：${what}。`, secureZh],
  }),
  'payout-account': ({ what = '', by = '', at = '', run, more = '0' }) =>
    run === undefined
      ? {
          subject: `收款账户已保存：${what}`,
          lines: [
            `${by} 于 ${at} 保存了收款账户 ${what}。24 小时后，或由另一位同事确认后，即可向其付款。`,
            '如果您不认识此账户，请在后台的“付款”—“审批”中拒绝，并停用保存者的账户。',
          ],
        }
      : {
          subject: `向新账户的付款待审批：${run}`,
          lines: [
            `${by} 于 ${at} 录入了向新的或已更改的账户的付款：${what}${more === '0' ? '' : `，另有 ${more} 个`}。另一位同事批准后即会付款。`,
            '如果您不认识这些账户，请在后台的“付款”—“审批”中拒绝这些付款，并停用录入者的账户。',
          ],
        },
  'new-device': ({ address = '', agent = '', at = '' }) => ({
    subject: '新设备登录',
    lines: [
      `有人于 ${at} 从一个新的浏览器登录了您的账户。`,
      `地址：${address}`,
      `浏览器：${agent}`,
      secureZh,
    ],
  }),
}

export const mailWords: Readonly<Record<MailLanguage, Words>> = { en, zh }
