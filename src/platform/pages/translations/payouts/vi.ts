import type { PayoutWords } from './en.ts'

export const viPayouts: PayoutWords = {
  title: 'Nhận tiền của bạn',
  heading: 'Bạn muốn nhận tiền ở đâu?',
  button: (amount) => `Nhận ${amount}`,
  kinds: {
    card: 'Thẻ',
    bank_account: 'Tài khoản ngân hàng',
    pix: 'Pix',
    per_transfer: 'Tài khoản ngân hàng tại Peru',
    spei: 'Tài khoản ngân hàng tại Mexico',
  },
  accounts: {
    card: 'Số thẻ',
    bank_account: 'IBAN hoặc số tài khoản',
    pix: 'Khóa Pix',
    per_transfer: 'CCI',
    spei: 'CLABE',
  },
  fields: {
    bankCode: 'BIC (mã SWIFT)',
    beneficiaryType: 'Chủ tài khoản là',
    addressLine: 'Địa chỉ',
    city: 'Thành phố',
    countryCode: 'Quốc gia',
    accountType: 'Loại tài khoản',
  },
  hints: {
    bankCode: 'Không cần nếu có IBAN',
    pix: 'CPF, CNPJ, email, điện thoại hoặc khóa ngẫu nhiên',
    per_transfer: '20 chữ số',
    spei: '18 chữ số',
  },
  way: { title: 'Đang chuyển', heading: 'Tiền của bạn đang được chuyển' },
  wayTo: (end) => `Tiền được chuyển vào tài khoản có số cuối ${end}. Trang này tự cập nhật.`,
  leave: 'Bạn có thể rời trang này: bạn không cần làm gì thêm.',
  sent: { title: 'Đã trả', heading: 'Tiền của bạn đã được gửi' },
  sentTo: (end) => `Tiền đã vào tài khoản có số cuối ${end}.`,
  failed: { title: 'Chưa trả', heading: 'Không thể gửi tiền' },
  sendAgain: (merchant) => `${merchant} đã biết và có thể gửi lại.`,
  goTo: (merchant) => `Đến ${merchant}`,
  missing: {
    title: 'Không tìm thấy trang',
    heading: 'Trang nhận tiền này không tồn tại',
    text: 'Liên kết bị thiếu hoặc đã quá cũ. Hãy xin liên kết mới từ người đã gửi cho bạn.',
  },
  broken: 'Hãy tải lại trang sau giây lát. Tiền không bao giờ được trả vào hai tài khoản hay trả hai lần.',
}
