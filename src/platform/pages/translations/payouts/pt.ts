import type { PayoutWords } from './en.ts'

export const ptPayouts: PayoutWords = {
  title: 'Receba seu dinheiro',
  heading: 'Para onde vai o dinheiro?',
  button: (amount) => `Receber ${amount}`,
  kinds: {
    card: 'Cartão',
    bank_account: 'Conta bancária',
    pix: 'Pix',
    per_transfer: 'Conta bancária no Peru',
    spei: 'Conta bancária no México',
  },
  accounts: {
    card: 'Número do cartão',
    bank_account: 'IBAN ou número da conta',
    pix: 'Chave Pix',
    per_transfer: 'CCI',
    spei: 'CLABE',
  },
  fields: {
    bankCode: 'BIC (código SWIFT)',
    beneficiaryType: 'A conta pertence a',
    addressLine: 'Endereço',
    city: 'Cidade',
    countryCode: 'País',
    accountType: 'Tipo de conta',
  },
  hints: {
    bankCode: 'Não é preciso com um IBAN',
    pix: 'CPF, CNPJ, e-mail, telefone ou chave aleatória',
    per_transfer: '20 dígitos',
    spei: '18 dígitos',
  },
  way: { title: 'A caminho', heading: 'Seu dinheiro está a caminho' },
  wayTo: (end) => `Ele vai para a conta com final ${end}. Esta página muda sozinha.`,
  leave: 'Você pode sair desta página: não precisa fazer mais nada.',
  sent: { title: 'Pago', heading: 'Seu dinheiro foi enviado' },
  sentTo: (end) => `Ele foi para a conta com final ${end}.`,
  failed: { title: 'Não pago', heading: 'Não foi possível enviar o dinheiro' },
  sendAgain: (merchant) => `${merchant} já sabe e pode enviar de novo.`,
  goTo: (merchant) => `Ir para ${merchant}`,
  missing: {
    title: 'Página não encontrada',
    heading: 'Esta página de repasse não existe',
    text: 'O link está incompleto ou é antigo demais. Peça um novo a quem enviou.',
  },
  broken: 'Recarregue esta página em instantes. Você nunca recebe em duas contas nem em dobro.',
}
