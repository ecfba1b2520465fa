"""Names of players who do not exist, in the scripts that real rosters hold."""

import random
from dataclasses import dataclass
from itertools import product


@dataclass(frozen=True)
class People:
    """Given and family names of one script, and how they are put together."""

    given: str
    family: str
    form: str = "{given} {family}"

    def names(self) -> list[str]:
        """Every given name with every family name."""
        return [
            self.form.format(given=given, family=family)
            for given, family in product(self.given.split(), self.family.split())
        ]


PEOPLES = (
    People(
        "Ada Bram Chloé Dario Elif Fiadh Goran Héloïse Imke Jörg Kasia Lorenzo Maeve Nuno "
        "Oda Piotr Quentin Ronja Søren Thandiwe",
        "Almeida Brennan Çelik Dvořák Eriksson Fournier Gallo Håkansson Ionescu Jansen "
        "Kovač Lindqvist Müller Nowak O'Shea Peeters Reyes Škoda Tanner Weiß",
    ),
    People("Анна Борис Вера Глеб Дарья Илья", "Власенко Долгих Ковальчук Лысенко Седых Черных"),
    People("Αλέξης Δάφνη Ελένη Θάνος Μυρτώ Νίκος", "Βασιλείου Γεωργίου Καρράς Λάμπρου Παππάς"),
    People("נועה איתן מאיה יונתן תמר", "כהן לוי מזרחי פרץ שגב"),
    People("ليلى كريم سلمى طارق هالة", "حداد منصور نصر الخطيب زيدان"),
    People("伟 敏 静 磊 芳 浩然", "王 李 张 刘 陈 欧阳", form="{family}{given}"),
    People("さくら はると ゆい 蓮 陽菜 大和", "佐藤 鈴木 高橋 田中 渡辺", form="{family} {given}"),
    People("민준 서연 도윤 하은 지호", "김 이 박 최 정", form="{family}{given}"),
    People("आरव दीया ईशान काव्या रोहन", "शर्मा वर्मा पटेल मेहता जोशी"),
    People("กานต์ ชลธิชา ณัฐ ปิยะ มาลี", "ใจดี ศรีสุข ทองคำ วงศ์ไทย"),
    People("ნინო გიორგი თამარ ლუკა მარიამ", "ბერიძე კაპანაძე გელაშვილი ლომიძე"),
    People("Արամ Նարե Տիգրան Մանե Դավիթ", "Պետրոսյան Սարգսյան Հակոբյան Մելքոնյան"),
)


def player_names(count: int, chance: random.Random) -> list[str]:
    """So many different names; the same chance gives the same names."""
    names = [name for people in PEOPLES for name in people.names()]
    chance.shuffle(names)
    turns = -(-count // len(names))
    numbered = [
        name if turn == 0 else f"{name} {turn + 1}" for turn in range(turns) for name in names
    ]
    return numbered[:count]
