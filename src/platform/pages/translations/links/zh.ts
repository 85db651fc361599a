import type { LinkWords } from './en.ts'

export const zhLinks: LinkWords = {
  amount: '付款金额',
  between: (least, most) => `${least} 至 ${most}`,
  atLeast: (least) => `至少 ${least}`,
  atMost: (most) => `最多 ${most}`,
  again: '重新开始',
  cancel: '取消此次付款',
  thanks: '谢谢。您可以关闭此页面。',
  missing: { heading: '此付款链接不存在', text: '链接不完整。请向发送人索取完整的链接。' },
  expired: { heading: '此付款链接已过期', text: (merchant) => `请向 ${merchant} 索取新链接。` },
  off: { heading: '此付款链接已停用', text: (merchant) => `请向 ${merchant} 索取新链接。` },
  paid: { heading: '此付款链接已付款', text: '它只能付款一次，您无需再做任何操作。' },
  unavailable: {
    heading: '此链接暂时无法付款',
    text: (merchant) => `请稍后再试，或联系 ${merchant}。您未被扣款。`,
  },
  receipt: {
    title: '收据',
    paidOn: '付款时间',
    method: '付款方式',
    refunded: '已退款',
    rest: '退款后实付',
    print: '打印',
    missing: { heading: '此收据不存在', text: '链接不完整或已过期。请向商店索取新链接。' },
  },
}
