"""Names as papers print them: marks, degrees, particles, order, groups."""

from __future__ import annotations

import pytest

from tests.unit.reading.press import LOREM, chinese_font


def set_names(press, pieces=None, line="", head="", below="University of Norrby, Norrby, Sweden"):
    press.line(head or "Annals of Recovery 2021; 33: 417", y=30, size=8)
    press.line("Early walking after surgery of the hip in old age", y=80, font="Times-Bold", size=16)
    press.y += 8
    if pieces:
        press.marked(pieces, size=11)
    else:
        press.line(line, size=11)
    press.line(below, size=8)
    press.heading("Abstract")
    press.prose(LOREM)
    press.heading("Introduction")
    press.prose(LOREM * 2)
    return press


@pytest.mark.parametrize(
    ("line", "families"),
    [
        ("Anna Lindqvist, MD, PhD; Carlos Ruiz, MPH; Mei Tanaka, MSc", ["Lindqvist", "Ruiz", "Tanaka"]),
        ("Anna Lindqvist MD, Carlos Ruiz PhD, and Mei Tanaka MPH", ["Lindqvist", "Ruiz", "Tanaka"]),
        ("Lindqvist, Anna; Ruiz, Carlos M.; Tanaka, Mei", ["Lindqvist", "Ruiz", "Tanaka"]),
        ("Jan van der Berg, Maria de la Cruz and Omar El-Sayed", ["van der Berg", "de la Cruz", "El-Sayed"]),
        ("John Smith Jr., Robert Hale III & Mei Tanaka", ["Smith", "Hale", "Tanaka"]),
        ("Anna Lindqvist a, Carlos Ruiz b,c, Mei Tanaka a,*", ["Lindqvist", "Ruiz", "Tanaka"]),
        ("Lindqvist A.B., Ruiz C., Tanaka M.", ["Lindqvist", "Ruiz", "Tanaka"]),
        ("A. B. Lindqvist, C. Ruiz, M. Tanaka", ["Lindqvist", "Ruiz", "Tanaka"]),
        ("Anna Lindqvist, Carlos Ruiz, on behalf of the Early Walking Study Group", ["Lindqvist", "Ruiz"]),
        ("ANNA LINDQVIST, CARLOS DE LA CRUZ, MEI TANAKA", ["Lindqvist", "de la Cruz", "Tanaka"]),
        ("Anna LINDQVIST, Carlos RUIZ, Mei TANAKA", ["LINDQVIST", "RUIZ", "TANAKA"]),
    ],
)
def test_families_are_told_however_the_line_is_set(press, read, line, families):
    record = read(set_names(press, line=line))
    assert [a["family"] for a in record["authors"]] == families


def test_a_raised_letter_between_name_and_comma_is_a_mark(press, read):
    record = read(set_names(press, [("Anna Vogel", "a,*"), (", Carlos Ruiz", "b"), (" and Mei Tanaka", "a,†")]))
    assert [a["family"] for a in record["authors"]] == ["Vogel", "Ruiz", "Tanaka"]


def test_a_family_name_of_two_words_is_taken_from_the_running_head(press, read):
    press = set_names(
        press, line="Rosa Campos Leal, Jan Novak", head="Campos Leal et al. Annals of Recovery (2021) 33:417"
    )
    assert [a["family"] for a in read(press)["authors"]] == ["Campos Leal", "Novak"]


def test_chinese_names_headings_and_abstract_are_read(press, read):
    song = chinese_font()
    press.line("康复医学杂志 2021年第33卷第4期", y=30, font=song, size=8)
    press.line("髋部骨折术后早期步行的随机对照试验", y=80, font=song, size=16)
    press.line("林安娜，欧阳明，王梅", y=110, font=song, size=11)
    press.line("诺比大学骨科，诺比 900100", font=song, size=8)
    text = "【目的】评价髋部骨折术后早期步行的效果。【方法】纳入2019年3月至2020年9月四家医院患者212例，随机分为两组。"
    press.line("摘要：" + text[:40], y=150, font=song, size=9)
    press.line(text[40:] + "【结果】早期组住院时间较短（P<0.05）。", font=song, size=9)
    press.line("关键词：髋部骨折；步行；老年人", font=song, size=9)
    press.line("1 引言", y=210, font=song, size=13)
    for _ in range(4):
        press.line("髋部骨折在老年人中常见，多数患者在两天内接受手术治疗，卧床时间过长会使肌肉力量下降。", font=song)
    press.line("2 资料与方法", y=300, font=song, size=13)
    press.line("2.1 研究对象", y=325, font=song)
    for _ in range(4):
        press.line(
            "年龄八十岁以上的患者由两名医生评估，签署知情同意书，双侧检验以P<0.05为差异有统计学意义。", font=song
        )
    press.line("P<0.05为差异有统计学意义。", font=song)
    record = read(press)
    assert [(a["family"], a["given"]) for a in record["authors"]] == [("林", "安娜"), ("欧阳", "明"), ("王", "梅")]
    assert record["abstract"].startswith("【目的】") and "P<0.05" in record["abstract"]
    assert record["keywords"] == ["髋部骨折", "步行", "老年人"]
    assert [s["title"] for s in record["sections"]] == ["1 引言", "2 资料与方法", "2.1 研究对象"]
    facts = {f["name"]: f["value"] for f in record["fields"]}
    assert facts["design"] == "randomised controlled trial"
    assert facts["sample_size"] == 212
    assert facts["period"] == "2019年3月 to 2020年9月"
