//! The single-byte code pages: what each byte from 0x80 on means in Unicode.
//!
//! # Layout
//! A page is 128 UTF-16 units, written below as the characters themselves; U+FFFD stands for bytes without a meaning. No
//! page leaves the basic plane, no byte means two characters, and no two bytes mean the same one, so one table serves both
//! directions. The ISO pages share the control characters 80-9F, which [`iso`] supplies.
//!
//! # References
//! CRuby `enc/trans/single_byte.trans`; values recorded from `String#encode`.

use crate::encoding::EncodingIndex;

/// Meanings of the bytes 80-FF.
pub type Page = [u16; 128];

const UNDEFINED: u16 = 0xFFFD;

/// The code page of a single-byte encoding; `None` for the ones CRuby has no conversion for, ASCII and binary.
pub fn of(encoding: EncodingIndex) -> Option<&'static Page> {
    PAGES.iter().find(|(index, _)| *index == encoding).map(|(_, page)| page)
}

/// What `byte` means.
pub fn decode(page: &Page, byte: u8) -> Option<char> {
    match byte {
        0..0x80 => Some(byte as char),
        _ => char::from_u32(u32::from(page[byte as usize - 0x80])).filter(|&c| c as u32 != u32::from(UNDEFINED)),
    }
}

/// The byte that means `c`.
pub fn encode(page: &Page, c: char) -> Option<u8> {
    if c.is_ascii() {
        return Some(c as u8);
    }
    let unit = u16::try_from(c as u32).ok().filter(|&unit| unit != UNDEFINED)?;
    page.iter().position(|&entry| entry == unit).map(|at| at as u8 + 0x80)
}

/// A page written out whole.
const fn page(text: &str) -> Page {
    fill([UNDEFINED; 128], 0, text.as_bytes())
}

/// A page whose first 32 entries are the control characters 80-9F.
const fn iso(text: &str) -> Page {
    let mut controls = [UNDEFINED; 128];
    let mut at = 0;
    while at < 32 {
        controls[at] = 0x80 + at as u16;
        at += 1;
    }
    fill(controls, 32, text.as_bytes())
}

/// Puts the characters of UTF-8 of at most three bytes each into a page; a page that is not full does not compile.
const fn fill(mut page: Page, mut at: usize, text: &[u8]) -> Page {
    let mut byte = 0;
    while byte < text.len() {
        let (unit, len) = match text[byte] {
            0..=0x7F => (text[byte] as u16, 1),
            0x80..=0xDF => ((text[byte] as u16 & 0x1F) << 6 | text[byte + 1] as u16 & 0x3F, 2),
            _ => ((text[byte] as u16) << 12 | (text[byte + 1] as u16 & 0x3F) << 6 | text[byte + 2] as u16 & 0x3F, 3),
        };
        page[at] = unit;
        at += 1;
        byte += len;
    }
    assert!(at == 128);
    page
}

#[rustfmt::skip]
static PAGES: [(EncodingIndex, Page); 52] = [
    (EncodingIndex::ISO_8859_2, iso(
        "\u{A0}Ą˘Ł¤ĽŚ§¨ŠŞŤŹ\u{AD}ŽŻ°ą˛ł´ľśˇ¸šşťź˝žżŔÁÂĂÄĹĆÇČÉĘËĚÍÎĎĐŃŇÓÔŐÖ×ŘŮÚŰÜÝŢßŕáâăäĺćçčéęëěíîďđńňóôőö÷řůúűüý\
         ţ˙",
    )),
    (EncodingIndex::ISO_8859_3, iso(
        "\u{A0}Ħ˘£¤�Ĥ§¨İŞĞĴ\u{AD}�Ż°ħ²³´µĥ·¸ışğĵ½�żÀÁÂ�ÄĊĈÇÈÉÊËÌÍÎÏ�ÑÒÓÔĠÖ×ĜÙÚÛÜŬŜßàáâ�äċĉçèéêëìíîï�ñòóôġö÷ĝùúûüŭ\
         ŝ˙",
    )),
    (EncodingIndex::ISO_8859_4, iso(
        "\u{A0}ĄĸŖ¤ĨĻ§¨ŠĒĢŦ\u{AD}Ž¯°ą˛ŗ´ĩļˇ¸šēģŧŊžŋĀÁÂÃÄÅÆĮČÉĘËĖÍÎĪĐŅŌĶÔÕÖ×ØŲÚÛÜŨŪßāáâãäåæįčéęëėíîīđņōķôõö÷øųúûüũ\
         ū˙",
    )),
    (EncodingIndex::ISO_8859_5, iso(
        "\u{A0}ЁЂЃЄЅІЇЈЉЊЋЌ\u{AD}ЎЏАБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯабвгдежзийклмнопрстуфхцчшщъыьэюя№ёђѓєѕіїјљњћќ§\
         ўџ",
    )),
    (EncodingIndex::ISO_8859_6, iso(
        "\u{A0}���¤�������،\u{AD}�������������\u{61B}���\u{61F}�\u{621}\u{622}\u{623}\u{624}\u{625}\u{626}\u{627}\
         \u{628}\u{629}\u{62A}\u{62B}\u{62C}\u{62D}\u{62E}\u{62F}\u{630}\u{631}\u{632}\u{633}\u{634}\u{635}\
         \u{636}\u{637}\u{638}\u{639}\u{63A}�����\u{640}\u{641}\u{642}\u{643}\u{644}\u{645}\u{646}\u{647}\u{648}\
         \u{649}\u{64A}\u{64B}\u{64C}\u{64D}\u{64E}\u{64F}\u{650}\u{651}\u{652}�������������",
    )),
    (EncodingIndex::ISO_8859_7, iso(
        "\u{A0}‘’£€₯¦§¨©ͺ«¬\u{AD}�―°±²³΄΅Ά·ΈΉΊ»Ό½ΎΏΐΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡ�ΣΤΥΦΧΨΩΪΫάέήίΰαβγδεζηθικλμνξοπρςστυφχψωϊϋόύ\
         ώ�",
    )),
    (EncodingIndex::ISO_8859_8, iso(
        "\u{A0}�¢£¤¥¦§¨©×«¬\u{AD}®¯°±²³´µ¶·¸¹÷»¼½¾��������������������������������‗\u{5D0}\u{5D1}\u{5D2}\u{5D3}\
         \u{5D4}\u{5D5}\u{5D6}\u{5D7}\u{5D8}\u{5D9}\u{5DA}\u{5DB}\u{5DC}\u{5DD}\u{5DE}\u{5DF}\u{5E0}\u{5E1}\
         \u{5E2}\u{5E3}\u{5E4}\u{5E5}\u{5E6}\u{5E7}\u{5E8}\u{5E9}\u{5EA}��\u{200E}\u{200F}�",
    )),
    (EncodingIndex::ISO_8859_9, iso(
        "\u{A0}¡¢£¤¥¦§¨©ª«¬\u{AD}®¯°±²³´µ¶·¸¹º»¼½¾¿ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏĞÑÒÓÔÕÖ×ØÙÚÛÜİŞßàáâãäåæçèéêëìíîïğñòóôõö÷øùúûüı\
         şÿ",
    )),
    (EncodingIndex::ISO_8859_10, iso(
        "\u{A0}ĄĒĢĪĨĶ§ĻĐŠŦŽ\u{AD}ŪŊ°ąēģīĩķ·ļđšŧž―ūŋĀÁÂÃÄÅÆĮČÉĘËĖÍÎÏÐŅŌÓÔÕÖŨØŲÚÛÜÝÞßāáâãäåæįčéęëėíîïðņōóôõöũøųúûüý\
         þĸ",
    )),
    (EncodingIndex::ISO_8859_11, iso(
        "\u{A0}กขฃคฅฆงจฉชซฌญฎฏฐฑฒณดตถทธนบปผฝพฟภมยรฤลฦวศษสหฬอฮฯะ\u{E31}าำ\u{E34}\u{E35}\u{E36}\u{E37}\u{E38}\
         \u{E39}\u{E3A}����฿เแโใไๅๆ\u{E47}\u{E48}\u{E49}\u{E4A}\u{E4B}\u{E4C}\u{E4D}\u{E4E}๏๐๑๒๓๔๕๖๗๘๙๚๛����",
    )),
    (EncodingIndex::ISO_8859_13, iso(
        "\u{A0}”¢£¤„¦§Ø©Ŗ«¬\u{AD}®Æ°±²³“µ¶·ø¹ŗ»¼½¾æĄĮĀĆÄÅĘĒČÉŹĖĢĶĪĻŠŃŅÓŌÕÖ×ŲŁŚŪÜŻŽßąįāćäåęēčéźėģķīļšńņóōõö÷ųłśūüż\
         ž’",
    )),
    (EncodingIndex::ISO_8859_14, iso(
        "\u{A0}Ḃḃ£ĊċḊ§Ẁ©ẂḋỲ\u{AD}®ŸḞḟĠġṀṁ¶ṖẁṗẃṠỳẄẅṡÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏŴÑÒÓÔÕÖṪØÙÚÛÜÝŶßàáâãäåæçèéêëìíîïŵñòóôõöṫøùúûüý\
         ŷÿ",
    )),
    (EncodingIndex::ISO_8859_15, iso(
        "\u{A0}¡¢£€¥Š§š©ª«¬\u{AD}®¯°±²³Žµ¶·ž¹º»ŒœŸ¿ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖ×ØÙÚÛÜÝÞßàáâãäåæçèéêëìíîïðñòóôõö÷øùúûüý\
         þÿ",
    )),
    (EncodingIndex::ISO_8859_16, iso(
        "\u{A0}ĄąŁ€„Š§š©Ș«Ź\u{AD}źŻ°±ČłŽ”¶·žčș»ŒœŸżÀÁÂĂÄĆÆÇÈÉÊËÌÍÎÏĐŃÒÓÔŐÖŚŰÙÚÛÜĘȚßàáâăäćæçèéêëìíîïđńòóôőöśűùúûüę\
         țÿ",
    )),
    (EncodingIndex::KOI8_R, page(
        "─│┌┐└┘├┤┬┴┼▀▄█▌▐░▒▓⌠■∙√≈≤≥\u{A0}⌡°²·÷═║╒ё╓╔╕╖╗╘╙╚╛╜╝╞╟╠╡Ё╢╣╤╥╦╧╨╩╪╫╬©юабцдефгхийклмнопярстужвьызшэщчъЮАБ\
         ЦДЕФГХИЙКЛМНОПЯРСТУЖВЬЫЗШЭЩЧЪ",
    )),
    (EncodingIndex::KOI8_U, page(
        "─│┌┐└┘├┤┬┴┼▀▄█▌▐░▒▓⌠■∙√≈≤≥\u{A0}⌡°²·÷═║╒ёє╔ії╗╘╙╚╛ґ╝╞╟╠╡ЁЄ╣ІЇ╦╧╨╩╪Ґ╬©юабцдефгхийклмнопярстужвьызшэщчъЮАБ\
         ЦДЕФГХИЙКЛМНОПЯРСТУЖВЬЫЗШЭЩЧЪ",
    )),
    (EncodingIndex::WINDOWS_1250, page(
        "€�‚�„…†‡�‰Š‹ŚŤŽŹ�‘’“”•–—�™š›śťžź\u{A0}ˇ˘Ł¤Ą¦§¨©Ş«¬\u{AD}®Ż°±˛ł´µ¶·¸ąş»Ľ˝ľżŔÁÂĂÄĹĆÇČÉĘËĚÍÎĎĐŃŇÓÔŐÖ×ŘŮÚŰÜÝ\
         Ţßŕáâăäĺćçčéęëěíîďđńňóôőö÷řůúűüýţ˙",
    )),
    (EncodingIndex::WINDOWS_1251, page(
        "ЂЃ‚ѓ„…†‡€‰Љ‹ЊЌЋЏђ‘’“”•–—�™љ›њќћџ\u{A0}ЎўЈ¤Ґ¦§Ё©Є«¬\u{AD}®Ї°±Ііґµ¶·ё№є»јЅѕїАБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭ\
         ЮЯабвгдежзийклмнопрстуфхцчшщъыьэюя",
    )),
    (EncodingIndex::WINDOWS_1252, page(
        "€�‚ƒ„…†‡ˆ‰Š‹Œ�Ž��‘’“”•–—˜™š›œ�žŸ\u{A0}¡¢£¤¥¦§¨©ª«¬\u{AD}®¯°±²³´µ¶·¸¹º»¼½¾¿ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖ×ØÙÚÛÜÝ\
         Þßàáâãäåæçèéêëìíîïðñòóôõö÷øùúûüýþÿ",
    )),
    (EncodingIndex::WINDOWS_1253, page(
        "€�‚ƒ„…†‡�‰�‹�����‘’“”•–—�™�›����\u{A0}΅Ά£¤¥¦§¨©�«¬\u{AD}®―°±²³΄µ¶·ΈΉΊ»Ό½ΎΏΐΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡ�ΣΤΥΦΧΨΩΪΫάέ\
         ήίΰαβγδεζηθικλμνξοπρςστυφχψωϊϋόύώ�",
    )),
    (EncodingIndex::WINDOWS_1254, page(
        "€�‚ƒ„…†‡ˆ‰Š‹Œ����‘’“”•–—˜™š›œ��Ÿ\u{A0}¡¢£¤¥¦§¨©ª«¬\u{AD}®¯°±²³´µ¶·¸¹º»¼½¾¿ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏĞÑÒÓÔÕÖ×ØÙÚÛÜİ\
         Şßàáâãäåæçèéêëìíîïğñòóôõö÷øùúûüışÿ",
    )),
    (EncodingIndex::WINDOWS_1257, page(
        "€�‚�„…†‡�‰�‹�¨ˇ¸�‘’“”•–—�™�›�¯˛�\u{A0}�¢£¤�¦§Ø©Ŗ«¬\u{AD}®Æ°±²³´µ¶·ø¹ŗ»¼½¾æĄĮĀĆÄÅĘĒČÉŹĖĢĶĪĻŠŃŅÓŌÕÖ×ŲŁŚŪÜŻ\
         Žßąįāćäåęēčéźėģķīļšńņóōõö÷ųłśūüżž˙",
    )),
    (EncodingIndex::IBM437, page(
        "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτ\
         ΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u{A0}",
    )),
    (EncodingIndex::IBM720, page(
        "��éâ�à�çêëèïî����\u{651}\u{652}ô¤\u{640}ûù\u{621}\u{622}\u{623}\u{624}£\u{625}\u{626}\u{627}\u{628}\
         \u{629}\u{62A}\u{62B}\u{62C}\u{62D}\u{62E}\u{62F}\u{630}\u{631}\u{632}\u{633}\u{634}\u{635}«»░▒▓│┤╡╢╖╕╣║\
         ╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀\u{636}\u{637}\u{638}\u{639}\u{63A}\u{641}µ\u{642}\u{643}\u{644}\
         \u{645}\u{646}\u{647}\u{648}\u{649}\u{64A}≡\u{64B}\u{64C}\u{64D}\u{64E}\u{64F}\u{650}≈°∙·√ⁿ²■\u{A0}",
    )),
    (EncodingIndex::IBM737, page(
        "ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩαβγδεζηθικλμνξοπρσςτυφχψ░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀ωάέήϊίόύ\
         ϋώΆΈΉΊΌΎΏ±≥≤ΪΫ÷≈°∙·√ⁿ²■\u{A0}",
    )),
    (EncodingIndex::IBM775, page(
        "ĆüéāäģåćłēŖŗīŹÄÅÉæÆōöĢ¢ŚśÖÜø£Ø×¤ĀĪóŻżź”¦©®¬½¼Ł«»░▒▓│┤ĄČĘĖ╣║╗╝ĮŠ┐└┴┬├─┼ŲŪ╚╔╩╦╠═╬Žąčęėįšųūž┘┌█▄▌▐▀ÓßŌŃõÕµń\
         ĶķĻļņĒŅ’\u{AD}±“¾¶§÷„°∙·¹³²■\u{A0}",
    )),
    (EncodingIndex::CP850, page(
        "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþ\
         ÞÚÛÙýÝ¯´\u{AD}±‗¾¶§÷¸°¨·¹³²■\u{A0}",
    )),
    (EncodingIndex::IBM852, page(
        "ÇüéâäůćçłëŐőîŹÄĆÉĹĺôöĽľŚśÖÜŤťŁ×čáíóúĄąŽžĘę¬źČş«»░▒▓│┤ÁÂĚŞ╣║╗╝Żż┐└┴┬├─┼Ăă╚╔╩╦╠═╬¤đĐĎËďŇÍÎě┘┌█▄ŢŮ▀ÓßÔŃńňŠš\
         ŔÚŕŰýÝţ´\u{AD}˝˛ˇ˘§÷¸°¨˙űŘř■\u{A0}",
    )),
    (EncodingIndex::CP852, page(
        "ÇüéâäůćçłëŐőîŹÄĆÉĹĺôöĽľŚśÖÜŤťŁ×čáíóúĄąŽžĘę¬źČş«»░▒▓│┤ÁÂĚŞ╣║╗╝Żż┐└┴┬├─┼Ăă╚╔╩╦╠═╬¤đĐĎËďŇÍÎě┘┌█▄ŢŮ▀ÓßÔŃńňŠš\
         ŔÚŕŰýÝţ´\u{AD}˝˛ˇ˘§÷¸°¨˙űŘř■\u{A0}",
    )),
    (EncodingIndex::IBM855, page(
        "ђЂѓЃёЁєЄѕЅіІїЇјЈљЉњЊћЋќЌўЎџЏюЮъЪаАбБцЦдДеЕфФгГ«»░▒▓│┤хХиИ╣║╗╝йЙ┐└┴┬├─┼кК╚╔╩╦╠═╬¤лЛмМнНоОп┘┌█▄Пя▀ЯрРсСтТу\
         УжЖвВьЬ№\u{AD}ыЫзЗшШэЭщЩчЧ§■\u{A0}",
    )),
    (EncodingIndex::CP855, page(
        "ђЂѓЃёЁєЄѕЅіІїЇјЈљЉњЊћЋќЌўЎџЏюЮъЪаАбБцЦдДеЕфФгГ«»░▒▓│┤хХиИ╣║╗╝йЙ┐└┴┬├─┼кК╚╔╩╦╠═╬¤лЛмМнНоОп┘┌█▄Пя▀ЯрРсСтТу\
         УжЖвВьЬ№\u{AD}ыЫзЗшШэЭщЩчЧ§■\u{A0}",
    )),
    (EncodingIndex::IBM857, page(
        "ÇüéâäàåçêëèïîıÄÅÉæÆôöòûùİÖÜø£ØŞşáíóúñÑĞğ¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ºªÊËÈ�ÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµ�\
         ×ÚÛÙìÿ¯´\u{AD}±�¾¶§÷¸°¨·¹³²■\u{A0}",
    )),
    (EncodingIndex::IBM860, page(
        "ÇüéâãàÁçêÊèÍÔìÃÂÉÀÈôõòÚùÌÕÜ¢£Ù₧ÓáíóúñÑªº¿Ò¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτ\
         ΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u{A0}",
    )),
    (EncodingIndex::IBM861, page(
        "ÇüéâäàåçêëèÐðÞÄÅÉæÆôöþûÝýÖÜø£Ø₧ƒáíóúÁÍÓÚ¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτ\
         ΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u{A0}",
    )),
    (EncodingIndex::IBM862, page(
        "\u{5D0}\u{5D1}\u{5D2}\u{5D3}\u{5D4}\u{5D5}\u{5D6}\u{5D7}\u{5D8}\u{5D9}\u{5DA}\u{5DB}\u{5DC}\u{5DD}\
         \u{5DE}\u{5DF}\u{5E0}\u{5E1}\u{5E2}\u{5E3}\u{5E4}\u{5E5}\u{5E6}\u{5E7}\u{5E8}\u{5E9}\u{5EA}¢£¥₧ƒáíóúñÑªº\
         ¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u{A0}",
    )),
    (EncodingIndex::IBM863, page(
        "ÇüéâÂà¶çêëèïî‗À§ÉÈÊôËÏûù¤ÔÜ¢£ÙÛƒ¦´óú¨¸³¯Î⌐¬½¼¾«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτ\
         ΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u{A0}",
    )),
    (EncodingIndex::IBM864, page(
        "°·∙√▒─│┼┤┬├┴┐┌└┘β∞φ±½¼≈«»\u{FEF7}\u{FEF8}��\u{FEFB}\u{FEFC}\u{FE73}\u{A0}\u{AD}\u{FE82}£¤\u{FE84}�€\
         \u{FE8E}\u{FE8F}\u{FE95}\u{FE99}،\u{FE9D}\u{FEA1}\u{FEA5}\u{660}\u{661}\u{662}\u{663}\u{664}\u{665}\
         \u{666}\u{667}\u{668}\u{669}\u{FED1}\u{61B}\u{FEB1}\u{FEB5}\u{FEB9}\u{61F}¢\u{FE80}\u{FE81}\u{FE83}\
         \u{FE85}\u{FECA}\u{FE8B}\u{FE8D}\u{FE91}\u{FE93}\u{FE97}\u{FE9B}\u{FE9F}\u{FEA3}\u{FEA7}\u{FEA9}\u{FEAB}\
         \u{FEAD}\u{FEAF}\u{FEB3}\u{FEB7}\u{FEBB}\u{FEBF}\u{FEC1}\u{FEC5}\u{FECB}\u{FECF}¦¬÷×\u{FEC9}\u{640}\
         \u{FED3}\u{FED7}\u{FEDB}\u{FEDF}\u{FEE3}\u{FEE7}\u{FEEB}\u{FEED}\u{FEEF}\u{FEF3}\u{FEBD}\u{FECC}\u{FECE}\
         \u{FECD}\u{FEE1}\u{FE7D}\u{651}\u{FEE5}\u{FEE9}\u{FEEC}\u{FEF0}\u{FEF2}\u{FED0}\u{FED5}\u{FEF5}\u{FEF6}\
         \u{FEDD}\u{FED9}\u{FEF1}■�",
    )),
    (EncodingIndex::IBM865, page(
        "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø₧ƒáíóúñÑªº¿⌐¬½¼¡«¤░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτ\
         ΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u{A0}",
    )),
    (EncodingIndex::IBM866, page(
        "АБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯабвгдежзийклмноп░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀рстуфхцч\
         шщъыьэюяЁёЄєЇїЎў°∙·√№¤■\u{A0}",
    )),
    (EncodingIndex::IBM869, page(
        "������Ά�·¬¦‘’Έ―ΉΊΪΌ��ΎΫ©Ώ²³ά£έήίϊΐόύΑΒΓΔΕΖΗ½ΘΙ«»░▒▓│┤ΚΛΜΝ╣║╗╝ΞΟ┐└┴┬├─┼ΠΡ╚╔╩╦╠═╬ΣΤΥΦΧΨΩαβγ┘┌█▄δε▀ζηθικλμν\
         ξοπρσςτ΄\u{AD}±υφχ§ψ΅°¨ωϋΰώ■\u{A0}",
    )),
    (EncodingIndex::MACCROATIAN, page(
        "ÄÅÇÉÑÖÜáàâäãåçéèêëíìîïñóòôöõúùûü†°¢£§•¶ß®Š™´¨≠ŽØ∞±≤≥∆µ∂∑∏š∫ªºΩžø¿¡¬√ƒ≈Ć«Č…\u{A0}ÀÃÕŒœĐ—“”‘’÷◊�©⁄¤‹›Æ»–·‚\
         „‰ÂćÁčÈÍÎÏÌÓÔđÒÚÛÙıˆ˜¯πË˚¸Êæˇ",
    )),
    (EncodingIndex::MACCYRILLIC, page(
        "АБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯ†°¢£§•¶І®©™Ђђ≠Ѓѓ∞±≤≥іµ∂ЈЄєЇїЉљЊњјЅ¬√ƒ≈∆«»…\u{A0}ЋћЌќѕ–—“”‘’÷„ЎўЏџ№Ёёяабв\
         гдежзийклмнопрстуфхцчшщъыьэю¤",
    )),
    (EncodingIndex::MACGREEK, page(
        "Ä¹²É³ÖÜ΅àâä΄¨çéèêë£™îï•½‰ôö¦\u{AD}ùûü†ΓΔΘΛΞΠß®©ΣΪ§≠°·Α±≤≥¥ΒΕΖΗΙΚΜΦΫΨΩάΝ¬ΟΡ≈Τ«»…\u{A0}ΥΧΆΈœ–―“”‘’÷ΉΊΌΎέήί\
         όΏύαβψδεφγηιξκλμνοπώρστθωςχυζϊϋΐΰ�",
    )),
    (EncodingIndex::MACICELAND, page(
        "ÄÅÇÉÑÖÜáàâäãåçéèêëíìîïñóòôöõúùûüÝ°¢£§•¶ß®©™´¨≠ÆØ∞±≤≥¥µ∂∑∏π∫ªºΩæø¿¡¬√ƒ≈∆«»…\u{A0}ÀÃÕŒœ–—“”‘’÷◊ÿŸ⁄¤ÐðÞþý·‚\
         „‰ÂÊÁËÈÍÎÏÌÓÔ�ÒÚÛÙıˆ˜¯˘˙˚¸˝˛ˇ",
    )),
    (EncodingIndex::MACROMAN, page(
        "ÄÅÇÉÑÖÜáàâäãåçéèêëíìîïñóòôöõúùûü†°¢£§•¶ß®©™´¨≠ÆØ∞±≤≥¥µ∂∑∏π∫ªºΩæø¿¡¬√ƒ≈∆«»…\u{A0}ÀÃÕŒœ–—“”‘’÷◊ÿŸ⁄¤‹›ﬁﬂ‡·‚\
         „‰ÂÊÁËÈÍÎÏÌÓÔ�ÒÚÛÙıˆ˜¯˘˙˚¸˝˛ˇ",
    )),
    (EncodingIndex::MACROMANIA, page(
        "ÄÅÇÉÑÖÜáàâäãåçéèêëíìîïñóòôöõúùûü†°¢£§•¶ß®©™´¨≠ĂŞ∞±≤≥¥µ∂∑∏π∫ªºΩăş¿¡¬√ƒ≈∆«»…\u{A0}ÀÃÕŒœ–—“”‘’÷◊ÿŸ⁄¤‹›Ţţ‡·‚\
         „‰ÂÊÁËÈÍÎÏÌÓÔ�ÒÚÛÙıˆ˜¯˘˙˚¸˝˛ˇ",
    )),
    (EncodingIndex::MACTURKISH, page(
        "ÄÅÇÉÑÖÜáàâäãåçéèêëíìîïñóòôöõúùûü†°¢£§•¶ß®©™´¨≠ÆØ∞±≤≥¥µ∂∑∏π∫ªºΩæø¿¡¬√ƒ≈∆«»…\u{A0}ÀÃÕŒœ–—“”‘’÷◊ÿŸĞğİıŞş‡·‚\
         „‰ÂÊÁËÈÍÎÏÌÓÔ�ÒÚÛÙ�ˆ˜¯˘˙˚¸˝˛ˇ",
    )),
    (EncodingIndex::MACUKRAINE, page(
        "АБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯ†°Ґ£§•¶І®©™Ђђ≠Ѓѓ∞±≤≥іµґЈЄєЇїЉљЊњјЅ¬√ƒ≈∆«»…\u{A0}ЋћЌќѕ–—“”‘’÷„ЎўЏџ№Ёёяабв\
         гдежзийклмнопрстуфхцчшщъыьэю¤",
    )),
    (EncodingIndex::WINDOWS_1256, page(
        "€\u{67E}‚ƒ„…†‡ˆ‰\u{679}‹Œ\u{686}\u{698}\u{688}\u{6AF}‘’“”•–—\u{6A9}™\u{691}›œ\u{200C}\u{200D}\u{6BA}\
         \u{A0}،¢£¤¥¦§¨©\u{6BE}«¬\u{AD}®¯°±²³´µ¶·¸¹\u{61B}»¼½¾\u{61F}\u{6C1}\u{621}\u{622}\u{623}\u{624}\u{625}\
         \u{626}\u{627}\u{628}\u{629}\u{62A}\u{62B}\u{62C}\u{62D}\u{62E}\u{62F}\u{630}\u{631}\u{632}\u{633}\
         \u{634}\u{635}\u{636}×\u{637}\u{638}\u{639}\u{63A}\u{640}\u{641}\u{642}\u{643}à\u{644}â\u{645}\u{646}\
         \u{647}\u{648}çèéêë\u{649}\u{64A}îï\u{64B}\u{64C}\u{64D}\u{64E}ô\u{64F}\u{650}÷\u{651}ù\u{652}ûü\u{200E}\
         \u{200F}\u{6D2}",
    )),
    (EncodingIndex::WINDOWS_1255, page(
        "€�‚ƒ„…†‡ˆ‰�‹�����‘’“”•–—˜™�›����\u{A0}¡¢£₪¥¦§¨©×«¬\u{AD}®¯°±²³´µ¶·¸¹÷»¼½¾¿\u{5B0}\u{5B1}\u{5B2}\u{5B3}\
         \u{5B4}\u{5B5}\u{5B6}\u{5B7}\u{5B8}\u{5B9}\u{5BA}\u{5BB}\u{5BC}\u{5BD}\u{5BE}\u{5BF}\u{5C0}\u{5C1}\
         \u{5C2}\u{5C3}\u{5F0}\u{5F1}\u{5F2}\u{5F3}\u{5F4}�������\u{5D0}\u{5D1}\u{5D2}\u{5D3}\u{5D4}\u{5D5}\
         \u{5D6}\u{5D7}\u{5D8}\u{5D9}\u{5DA}\u{5DB}\u{5DC}\u{5DD}\u{5DE}\u{5DF}\u{5E0}\u{5E1}\u{5E2}\u{5E3}\
         \u{5E4}\u{5E5}\u{5E6}\u{5E7}\u{5E8}\u{5E9}\u{5EA}��\u{200E}\u{200F}�",
    )),
    (EncodingIndex::TIS_620, page(
        "���������������������������������กขฃคฅฆงจฉชซฌญฎฏฐฑฒณดตถทธนบปผฝพฟภมยรฤลฦวศษสหฬอฮฯะ\u{E31}าำ\u{E34}\u{E35}\
         \u{E36}\u{E37}\u{E38}\u{E39}\u{E3A}����฿เแโใไๅๆ\u{E47}\u{E48}\u{E49}\u{E4A}\u{E4B}\u{E4C}\u{E4D}\u{E4E}๏\
         ๐๑๒๓๔๕๖๗๘๙๚๛����",
    )),
    (EncodingIndex::WINDOWS_874, page(
        "€����…�����������‘’“”•–—��������\u{A0}กขฃคฅฆงจฉชซฌญฎฏฐฑฒณดตถทธนบปผฝพฟภมยรฤลฦวศษสหฬอฮฯะ\u{E31}าำ\u{E34}\
         \u{E35}\u{E36}\u{E37}\u{E38}\u{E39}\u{E3A}����฿เแโใไๅๆ\u{E47}\u{E48}\u{E49}\u{E4A}\u{E4B}\u{E4C}\u{E4D}\
         \u{E4E}๏๐๑๒๓๔๕๖๗๘๙๚๛����",
    )),
];

/// EBCDIC (IBM037): what each byte means in ISO-8859-1.
#[rustfmt::skip]
pub static IBM037: [u8; 256] = [
    0x00, 0x01, 0x02, 0x03, 0x9C, 0x09, 0x86, 0x7F, 0x97, 0x8D, 0x8E, 0x0B, 0x0C, 0x0D, 0x0E, 0x0F,
    0x10, 0x11, 0x12, 0x13, 0x9D, 0x85, 0x08, 0x87, 0x18, 0x19, 0x92, 0x8F, 0x1C, 0x1D, 0x1E, 0x1F,
    0x80, 0x81, 0x82, 0x83, 0x84, 0x0A, 0x17, 0x1B, 0x88, 0x89, 0x8A, 0x8B, 0x8C, 0x05, 0x06, 0x07,
    0x90, 0x91, 0x16, 0x93, 0x94, 0x95, 0x96, 0x04, 0x98, 0x99, 0x9A, 0x9B, 0x14, 0x15, 0x9E, 0x1A,
    0x20, 0xA0, 0xE2, 0xE4, 0xE0, 0xE1, 0xE3, 0xE5, 0xE7, 0xF1, 0xA2, 0x2E, 0x3C, 0x28, 0x2B, 0x7C,
    0x26, 0xE9, 0xEA, 0xEB, 0xE8, 0xED, 0xEE, 0xEF, 0xEC, 0xDF, 0x21, 0x24, 0x2A, 0x29, 0x3B, 0xAC,
    0x2D, 0x2F, 0xC2, 0xC4, 0xC0, 0xC1, 0xC3, 0xC5, 0xC7, 0xD1, 0xA6, 0x2C, 0x25, 0x5F, 0x3E, 0x3F,
    0xF8, 0xC9, 0xCA, 0xCB, 0xC8, 0xCD, 0xCE, 0xCF, 0xCC, 0x60, 0x3A, 0x23, 0x40, 0x27, 0x3D, 0x22,
    0xD8, 0x61, 0x62, 0x63, 0x64, 0x65, 0x66, 0x67, 0x68, 0x69, 0xAB, 0xBB, 0xF0, 0xFD, 0xFE, 0xB1,
    0xB0, 0x6A, 0x6B, 0x6C, 0x6D, 0x6E, 0x6F, 0x70, 0x71, 0x72, 0xAA, 0xBA, 0xE6, 0xB8, 0xC6, 0xA4,
    0xB5, 0x7E, 0x73, 0x74, 0x75, 0x76, 0x77, 0x78, 0x79, 0x7A, 0xA1, 0xBF, 0xD0, 0xDD, 0xDE, 0xAE,
    0x5E, 0xA3, 0xA5, 0xB7, 0xA9, 0xA7, 0xB6, 0xBC, 0xBD, 0xBE, 0x5B, 0x5D, 0xAF, 0xA8, 0xB4, 0xD7,
    0x7B, 0x41, 0x42, 0x43, 0x44, 0x45, 0x46, 0x47, 0x48, 0x49, 0xAD, 0xF4, 0xF6, 0xF2, 0xF3, 0xF5,
    0x7D, 0x4A, 0x4B, 0x4C, 0x4D, 0x4E, 0x4F, 0x50, 0x51, 0x52, 0xB9, 0xFB, 0xFC, 0xF9, 0xFA, 0xFF,
    0x5C, 0xF7, 0x53, 0x54, 0x55, 0x56, 0x57, 0x58, 0x59, 0x5A, 0xB2, 0xD4, 0xD6, 0xD2, 0xD3, 0xD5,
    0x30, 0x31, 0x32, 0x33, 0x34, 0x35, 0x36, 0x37, 0x38, 0x39, 0xB3, 0xDB, 0xDC, 0xD9, 0xDA, 0x9F,
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_map_both_ways() {
        let koi8 = of(EncodingIndex::KOI8_R).unwrap();
        assert_eq!(decode(koi8, 0xC1), Some('а'));
        assert_eq!(encode(koi8, 'Я'), Some(0xF1));
        assert_eq!(encode(koi8, 'é'), None);
        let windows = of(EncodingIndex::WINDOWS_1252).unwrap();
        assert_eq!(decode(windows, 0x80), Some('€'));
        assert_eq!(decode(windows, 0x81), None);
        assert_eq!(encode(windows, '\u{FFFD}'), None);
        assert_eq!(decode(of(EncodingIndex::ISO_8859_15).unwrap(), 0x85), Some('\u{85}'));
    }

    #[test]
    fn no_byte_of_a_page_repeats_a_meaning() {
        for (encoding, page) in &PAGES {
            for byte in 0x80..=0xFF {
                if let Some(c) = decode(page, byte) {
                    assert_eq!(encode(page, c), Some(byte), "{} {byte:x}", encoding.name());
                }
            }
        }
    }

    #[test]
    fn ebcdic_is_a_permutation() {
        let mut seen = [false; 256];
        IBM037.iter().for_each(|&byte| seen[byte as usize] = true);
        assert!(seen.iter().all(|&seen| seen));
        assert_eq!(IBM037[0xC1], b'A');
    }
}
