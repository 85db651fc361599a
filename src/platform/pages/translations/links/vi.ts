import type { LinkWords } from './en.ts'

export const viLinks: LinkWords = {
  amount: 'Số tiền cần trả',
  between: (least, most) => `Từ ${least} đến ${most}`,
  atLeast: (least) => `Ít nhất ${least}`,
  atMost: (most) => `Nhiều nhất ${most}`,
  again: 'Bắt đầu lại',
  cancel: 'Hủy thanh toán này',
  thanks: 'Cảm ơn bạn. Bạn có thể đóng trang này.',
  missing: {
    heading: 'Liên kết thanh toán này không tồn tại',
    text: 'Liên kết không đầy đủ. Hãy yêu cầu người gửi gửi lại toàn bộ liên kết.',
  },
  expired: {
    heading: 'Liên kết thanh toán này đã hết hạn',
    text: (merchant) => `Hãy yêu cầu ${merchant} gửi liên kết mới.`,
  },
  off: {
    heading: 'Liên kết thanh toán này không còn hoạt động',
    text: (merchant) => `Hãy yêu cầu ${merchant} gửi liên kết mới.`,
  },
  paid: {
    heading: 'Liên kết thanh toán này đã được thanh toán',
    text: 'Liên kết chỉ được thanh toán một lần. Bạn không cần làm gì thêm.',
  },
  unavailable: {
    heading: 'Hiện không thể thanh toán qua liên kết này',
    text: (merchant) => `Hãy thử lại sau hoặc liên hệ ${merchant}. Bạn chưa bị trừ tiền.`,
  },
  receipt: {
    title: 'Biên nhận',
    paidOn: 'Ngày thanh toán',
    method: 'Thanh toán bằng',
    refunded: 'Đã hoàn tiền',
    rest: 'Còn lại sau hoàn tiền',
    print: 'In',
    missing: {
      heading: 'Biên nhận này không tồn tại',
      text: 'Liên kết không đầy đủ hoặc đã hết hạn. Hãy yêu cầu cửa hàng gửi liên kết mới.',
    },
  },
}
