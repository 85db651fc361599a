// What mails say. `link` is the label of the button; the address itself is never part of these texts.
import type { MailLanguage, Template, Values } from './mail.ts'

export type MailText = {
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

const en: Words = {
  invitation: ({ company = '', role = '' }) => ({
    subject: `You are invited to ${company}`,
    lines: [
      `${company} has invited you to its payment back office with the role "${role}".`,
      'Set a password with the link. It works once, for 24 hours.',
    ],
    link: 'Set your password',
  }),
  'invitation-taken': ({ company = '', role = '' }) => ({
    subject: `You are invited to ${company}, but this address has an account`,
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
    subject: `Confirm the registration of ${company}`,
    lines: [`Confirm this address to register ${company}. The link works once, for 24 hours.`, ignoreEn],
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
    subject: 'A key was changed',
    lines: [`The ${what} of your company was changed at ${at}.`, secureEn],
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
    subject: `${company} 邀请您加入`,
    lines: [
      `${company} 邀请您以“${role}”角色使用其支付后台。`,
      '请通过链接设置密码。链接只能使用一次，24 小时内有效。',
    ],
    link: '设置密码',
  }),
  'invitation-taken': ({ company = '', role = '' }) => ({
    subject: `${company} 邀请您加入，但此邮箱已有账户`,
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
    subject: `确认 ${company} 的注册`,
    lines: [`请确认此邮箱以注册 ${company}。链接只能使用一次，24 小时内有效。`, ignoreZh],
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
  'key-changed': ({ what = '', at = '' }) => ({
    subject: '密钥已更改',
    lines: [`贵公司的密钥（${what}）已于 ${at} 更改。`, secureZh],
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
